-- Jobs on on-demand machines, by cluster, team and type of machine: what they cost,
-- how often they write checkpoints, and what machines of the type cost on spot
-- (docs/figures.md, 19.6).
with work as (
  select c.cluster, c.instance_type, o.team, c.currency, min(c.gpu_model) as gpu_model, max(c.state) as state, sum(c.effective_cost) as cost
  from demand_costs c join owners o on o.tenant_id = $1 and o.owner_id = c.owner_id
  where c.tenant_id = $1 and c.day >= date_trunc('day', $2::timestamptz, 'UTC') and c.day < $3 and c.class = 'run' and c.price_class = 'on_demand' and c.instance_type <> ''
  group by 1, 2, 3, 4
), gaps as (
  select w.cluster, o.team, n.instance_type, extract(epoch from k.at - lag(k.at) over (partition by w.workload_id order by k.at))::bigint as gap
  from checkpoint_facts k
  join workloads w on w.tenant_id = $1 and w.cluster = k.cluster and w.namespace = k.namespace and w.name = k.pod and k.at >= w.hold_from and k.at <= w.hold_to
  join nodes n on n.tenant_id = $1 and n.node_id = w.node_id
  join owners o on o.tenant_id = $1 and o.owner_id = w.owner_id
  where k.tenant_id = $1 and k.at >= $2 and k.at < $3
), every as (
  select cluster, team, instance_type, percentile_disc(0.5) within group (order by gap) as seconds from gaps where gap > 0 group by 1, 2, 3
), rates as (
  select n.instance_type, p.currency, -- with discounts, which are lines of their own
    sum(p.effective_cost) filter (where n.price_class = 'spot') / nullif(sum(p.usage_seconds) filter (where n.price_class = 'spot'), 0) as spot,
    sum(p.effective_cost) filter (where n.price_class = 'on_demand') / nullif(sum(p.usage_seconds) filter (where n.price_class = 'on_demand'), 0) as on_demand
  from parts p join nodes n on n.tenant_id = $1 and n.node_id = p.node_id
  where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and p.kind in ('compute', 'provisional') and p.effective_cost is not null and n.price_class in ('spot', 'on_demand')
  group by 1, 2
)
select w.cluster, w.instance_type, w.team, w.currency, w.gpu_model, w.state, w.cost, coalesce(e.seconds, 0), coalesce(t.spot, 0), coalesce(t.on_demand, 0)
from work w
left join every e on e.cluster = w.cluster and e.instance_type = w.instance_type and e.team = w.team
left join rates t on t.instance_type = w.instance_type and t.currency = w.currency
order by w.cluster, w.instance_type, w.team, w.currency
