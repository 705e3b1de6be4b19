-- Spot machines that were taken away, and whom it hit.
select h.at, h.warned_at, nullif(n.cluster, '') as cluster, n.name as node, nullif(n.instance_type, '') as instance_type,
       nullif(n.region, '') as region, nullif(n.zone, '') as zone,
       h.run_id, nullif(a.task, '') as task, a.attempt::bigint as attempt, coalesce(o.team, p.team) as team, r.kind,
       h.recovery_seconds, c.lost_cost, c.currency,
       h.node_id::text as interruption, case when h.recovery_seconds is not null then h.attempt_id end as recovered_attempt, null::bigint as one
from (
  select i.*, row_number() over (partition by i.attempt_id order by i.at, i.node_id) as turn
  from (
@interrupted
  ) i
) h
join nodes n on n.tenant_id = @tenant and n.node_id = h.node_id
left join owners p on p.tenant_id = @tenant and p.owner_id = n.owner_id
left join attempts a on a.tenant_id = @tenant and a.attempt_id = h.attempt_id
left join runs r on r.tenant_id = @tenant and r.run_id = h.run_id
left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
left join lateral (
  select b.currency, sum(b.effective_cost) as lost_cost
  from postings b
  join attempts z on z.tenant_id = @tenant and z.attempt_id = b.attempt_id
  where b.tenant_id = @tenant and b.run_id = h.run_id and z.task = a.task and h.turn = 1
    and (z.attempt = a.attempt and b.cause = 'lost' or z.attempt = a.attempt + 1 and b.cause = 'overhead')
  group by b.currency
) c on true
