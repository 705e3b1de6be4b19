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
left join ( -- what the attempt lost, and what the next one took to begin
  select y.attempt_id, b.currency, sum(b.effective_cost) as lost_cost
  from (
    select y.attempt_id, z.run_id, z.attempt_id as payer, case when z.attempt = y.attempt then 'lost' else 'overhead' end as cause
    from attempts y
    join attempts z on z.tenant_id = @tenant and z.run_id = y.run_id and z.task = y.task and z.attempt in (y.attempt, y.attempt + 1)
    where y.tenant_id = @tenant and y.reason = 'spot_interruption'
    offset 0 -- these are few: costs of other attempts are not looked up
  ) y
  join (
@run_rows
  ) b on b.attempt_id = y.payer and b.cause = y.cause
  where b.currency is not null
  group by y.attempt_id, b.currency
) c on c.attempt_id = h.attempt_id and h.turn = 1
