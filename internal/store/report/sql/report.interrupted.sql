-- Whom interruptions hit, for report.spot and report.interruptions: attempts
-- that ended with a workload on the machine. An attempt that lost several
-- machines at once counts its recovery at the first. Recovery is to the first
-- time that a later attempt used what it held (docs/figures.md, 20.3).
select i.node_id, i.at, i.warned_at, a.attempt_id, a.run_id,
       case when row_number() over (partition by a.attempt_id order by i.at, i.node_id) = 1 then
         (select extract(epoch from min(s.from_at) - a.ended_at)::bigint
          from attempts z
          join spans s on s.tenant_id = z.tenant_id and s.run_id = z.run_id and s.attempt_id = z.attempt_id and s.cause = 'used'
          where z.tenant_id = a.tenant_id and z.run_id = a.run_id and z.task = a.task and z.attempt > a.attempt) end as recovery_seconds
from spot_interruptions i
left join (
  select distinct w.node_id, s.attempt_id
  from workloads w
  join segments s on s.tenant_id = w.tenant_id and s.workload_id = w.workload_id
  where w.tenant_id = @tenant and w.node_id in (select o.node_id from spot_interruptions o where o.tenant_id = @tenant)
    and not exists (select from segments l where l.tenant_id = s.tenant_id and l.workload_id = s.workload_id and l.to_at > s.to_at)
) h on h.node_id = i.node_id and exists (
  select from attempts a where a.tenant_id = @tenant and a.attempt_id = h.attempt_id and a.reason = 'spot_interruption')
left join attempts a on a.tenant_id = @tenant and a.attempt_id = h.attempt_id
where i.tenant_id = @tenant and i.at >= @from and i.at < @to
