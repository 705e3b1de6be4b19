-- Jobs on on-demand machines, by cluster, team and type of machine: what they
-- cost, how often they write checkpoints, and what is known of spot machines
-- (docs/figures.md, 19.6).
with work as (
  select c.cluster, c.instance_type, o.team, c.currency, min(c.gpu_model) as gpu_model, max(c.state) as state, sum(c.effective_cost) as cost
  from demand_costs c join owners o on o.tenant_id = $1 and o.owner_id = c.owner_id
  where c.tenant_id = $1 and c.day >= date_trunc('day', $2::timestamptz, 'UTC') and c.day < $3 and c.class = 'run' and c.price_class = 'on_demand' and c.instance_type <> ''
  group by 1, 2, 3, 4
), hours as (
  select d.cluster, d.instance_type, o.team, ceil(sum(d.gpu_hours) / greatest(max(m.gpus), 1))::bigint as hours
  from demand_days d join owners o on o.tenant_id = $1 and o.owner_id = d.owner_id
  join (select instance_type, max(gpus) as gpus from nodes where tenant_id = $1 group by 1) m on m.instance_type = d.instance_type
  where d.tenant_id = $1 and d.day >= date_trunc('day', $2::timestamptz, 'UTC') and d.day < $3 and d.class = 'run' and d.price_class = 'on_demand'
  group by 1, 2, 3
), gaps as (
  select w.cluster, o.team, n.instance_type, extract(epoch from k.at - lag(k.at) over (partition by w.workload_id order by k.at))::bigint as gap
  from checkpoint_facts k
  join workloads w on w.tenant_id = $1 and w.cluster = k.cluster and w.namespace = k.namespace and w.name = k.pod and k.at >= w.hold_from and k.at <= w.hold_to
  join nodes n on n.tenant_id = $1 and n.node_id = w.node_id
  join owners o on o.tenant_id = $1 and o.owner_id = w.owner_id
  where k.tenant_id = $1 and k.at >= $2 and k.at < $3
), every as (
  select cluster, team, instance_type, percentile_disc(0.5) within group (order by gap) as seconds from gaps where gap > 0 group by 1, 2, 3
), restarts as (
  select o.team, percentile_disc(0.5) within group (order by extract(epoch from coalesce(a.gang_complete_at, a.started_at) - a.started_at)::bigint) as seconds
  from attempts a join runs r on r.tenant_id = $1 and r.run_id = a.run_id join owners o on o.tenant_id = $1 and o.owner_id = r.owner_id
  where a.tenant_id = $1 and a.attempt > 1 and a.started_at < $3 and a.ended_at > $2
  group by 1
), up as (
  select n.instance_type, floor(sum(extract(epoch from least(coalesce(n.gone_at, $3), $3) - greatest(n.appeared_at, $2))) / 3600)::bigint as hours,
    count(i.node_id) filter (where i.at >= $2 and i.at < $3) as interruptions
  from nodes n left join spot_interruptions i on i.tenant_id = $1 and i.node_id = n.node_id
  where n.tenant_id = $1 and n.price_class = 'spot' and n.appeared_at < $3 and coalesce(n.gone_at, $3) > $2
  group by 1
), watched as (
  select n.instance_type, count(distinct d.day)::bigint as days
  from nodes n
  cross join lateral generate_series(date_trunc('day', greatest(n.appeared_at, $2), 'UTC'), least(coalesce(n.gone_at, $3), $3) - interval '1 second', interval '1 day') d (day)
  where n.tenant_id = $1 and n.price_class = 'spot' and n.appeared_at < $3 and coalesce(n.gone_at, $3) > $2
  group by 1
), rates as (
  select n.instance_type, p.currency, -- with discounts, which are lines of their own
    sum(p.effective_cost) filter (where n.price_class = 'spot') / nullif(sum(p.usage_seconds) filter (where n.price_class = 'spot'), 0) as spot,
    sum(p.effective_cost) filter (where n.price_class = 'on_demand') / nullif(sum(p.usage_seconds) filter (where n.price_class = 'on_demand'), 0) as on_demand
  from parts p join nodes n on n.tenant_id = $1 and n.node_id = p.node_id
  where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and p.kind in ('compute', 'provisional') and p.effective_cost is not null and n.price_class in ('spot', 'on_demand')
  group by 1, 2
)
select w.cluster, w.instance_type, w.team, w.currency, w.gpu_model, w.state, w.cost, coalesce(h.hours, 0), coalesce(e.seconds, 0), coalesce(r.seconds, 0),
  coalesce(u.interruptions, 0), coalesce(u.hours, 0), coalesce(s.days, 0), coalesce(t.spot, 0), coalesce(t.on_demand, 0)
from work w
left join hours h on h.cluster = w.cluster and h.instance_type = w.instance_type and h.team = w.team
left join every e on e.cluster = w.cluster and e.instance_type = w.instance_type and e.team = w.team
left join restarts r on r.team = w.team
left join up u on u.instance_type = w.instance_type
left join watched s on s.instance_type = w.instance_type
left join rates t on t.instance_type = w.instance_type and t.currency = w.currency
order by w.cluster, w.instance_type, w.team, w.currency
