-- How steadily teams hold machines of a family, and what that costs without a
-- commitment (docs/figures.md, 22.2).
with spent as materialized (
  select coalesce(nullif(o.team, ''), 'unowned') as team, s.instance_family, s.region, s.currency, s.use, s.state, sum(s.effective_cost) as effective_cost, sum(s.worth) as worth
  from (
@commitment_rows
  ) s
  left join owners o on o.tenant_id = @tenant and o.owner_id = s.owner_id
  where s.use in ('covered', 'on_demand')
  group by 1, 2, 3, 4, 5, 6
), held as (
  select h.team, h.instance_family, h.region, sum(h.hours) as hours, min(h.first_hour) as since
  from (
@held_rows
  ) h
  group by 1, 2, 3
), seen as (
  select extract(epoch from w.until - w.since) / 3600 + 1 as hours, w.until
  from (select (select max(u.hour) from usage u where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to) as until,
               (select min(u.hour) from usage u where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to) as since) w
)
select s.team, s.instance_family, s.region, s.currency, s.state, coalesce(h.hours, 0)::bigint as held_hours, l.hours::bigint as lifetime_hours, e.hours::bigint as window_hours,
       @demand_class as demand,
       s.use, case when s.use = 'covered' then s.effective_cost else 0 end as covered_cost,
       case when s.use = 'on_demand' then s.effective_cost else 0 end as on_demand_cost,
       case when s.use = 'on_demand' and @coverable then s.effective_cost else 0 end as coverable_cost
from spent s
cross join seen e
left join held h on h.team = s.team and h.instance_family is not distinct from s.instance_family and h.region is not distinct from s.region
cross join lateral (select extract(epoch from e.until - h.since) / 3600 + 1 as hours) l
