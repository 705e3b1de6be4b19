-- How steadily teams hold machines of a family, and what that costs without a
-- commitment (docs/figures.md, 22.2).
with spent as materialized (
  select coalesce(nullif(o.team, ''), 'unowned') as team, s.instance_family, s.region, s.currency, s.use, s.state, sum(s.effective_cost) as effective_cost, sum(s.worth) as worth
  from (
@commitment_costs
  ) s
  left join owners o on o.tenant_id = @tenant and o.owner_id = s.owner_id
  where s.use in ('covered', 'on_demand')
  group by 1, 2, 3, 4, 5, 6
), families as (
  select n.node_id, nullif(n.region, '') as region,
         case when n.instance_type like '%.%' then regexp_replace(n.instance_type, '\.[^.]*$', '')
              when n.instance_type like 'Standard\_%' then regexp_replace(n.instance_type, '^(Standard_[A-Z]+)[0-9-]+', '\1')
              else regexp_replace(n.instance_type, '-[0-9]+g?$', '') end as instance_family
  from nodes n where n.tenant_id = @tenant
), held as (
  select coalesce(nullif(o.team, ''), 'unowned') as team, n.instance_family, n.region, count(distinct u.hour) as hours
  from usage u
  join families n on n.node_id = u.node_id
  left join owners o on o.tenant_id = @tenant and o.owner_id = u.owner_id
  where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to and u.held
  group by 1, 2, 3
), seen as (
  select extract(epoch from max(u.hour) - min(u.hour)) / 3600 + 1 as hours from usage u where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to
)
select s.team, s.instance_family, s.region, s.currency, s.state, coalesce(h.hours, 0)::bigint as held_hours, e.hours::bigint as window_hours,
       case when e.hours is null then null when coalesce(h.hours, 0) >= 0.95 * e.hours then 'always_on' when h.hours >= 0.6 * e.hours then 'baseline' else 'bursty' end as demand,
       s.use, case when s.use = 'covered' then s.effective_cost else 0 end as covered_cost,
       case when s.use = 'on_demand' then s.effective_cost else 0 end as on_demand_cost,
       case when s.use = 'on_demand' and h.hours >= 0.6 * e.hours then s.effective_cost else 0 end as coverable_cost
from spent s
cross join seen e
left join held h on h.team = s.team and h.instance_family is not distinct from s.instance_family and h.region is not distinct from s.region
