-- What dataset spot has of teams in a window: cost and loss by team and currency, what
-- hit a team in every currency (docs/figures.md, 19.6, 20).
with spent as (
  select o.team, d.currency, sum(d.effective_cost) as cost, coalesce(sum(d.lost_cost), 0) as lost, count(distinct d.at) filter (where d.effective_cost > 0) as days
  from star.spot_days d join owners o on o.tenant_id = $1 and o.owner_id = d.owner_id
  where d.tenant_id = $1 and d.at >= date_trunc('day', $2::timestamptz, 'UTC') and d.at < $3 and o.team <> 'unowned'
  group by 1, 2
), recovered as ( -- an attempt that lost several machines recovered once
  select o.team, i.node_id, h.recovery_seconds as seconds, row_number() over (partition by h.attempt_id order by i.at, i.node_id) as nth
  from spot_interruptions i
  join spot_hits h on h.tenant_id = $1 and h.node_id = i.node_id
  join attempts a on a.tenant_id = $1 and a.attempt_id = h.attempt_id
  join runs r on r.tenant_id = $1 and r.run_id = a.run_id
  join owners o on o.tenant_id = $1 and o.owner_id = r.owner_id
  where i.tenant_id = $1 and i.at >= $2 and i.at < $3
), hit as (
  select team, count(distinct node_id) as interruptions, count(seconds) filter (where nth = 1) as recovered, coalesce(sum(seconds) filter (where nth = 1), 0)::bigint as seconds from recovered group by 1
)
select s.team, s.currency, s.cost, s.lost, s.days, coalesce(h.interruptions, 0), coalesce(h.recovered, 0), coalesce(h.seconds, 0)
from spent s left join hit h on h.team = s.team
where s.cost > 0 and s.currency is not null
order by s.team, s.currency
