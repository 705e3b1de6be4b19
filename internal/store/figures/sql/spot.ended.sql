-- Attempts that ended with a workload on a machine that was taken away.
select distinct w.node_id, s.attempt_id
from spot_interruptions i
join workloads w on w.tenant_id = i.tenant_id and w.node_id = i.node_id
join segments s on s.tenant_id = w.tenant_id and s.workload_id = w.workload_id
join attempts a on a.tenant_id = s.tenant_id and a.attempt_id = s.attempt_id and a.reason = 'spot_interruption'
where i.tenant_id = $1
  and not exists (select from segments l where l.tenant_id = s.tenant_id and l.workload_id = s.workload_id and l.to_at > s.to_at)
order by w.node_id, s.attempt_id
