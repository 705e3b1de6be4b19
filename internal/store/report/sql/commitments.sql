-- Commitments and the demand that they cover.

-- name: report.commitment_costs
-- Money of machines by what a commitment has to do with it, for
-- report.commitments, report.commitment_demand, levels and their days
-- (docs/figures.md, 19.4, 22.1). Work: what held them and did not idle.
select p.hour, p.owner_id, o.team, p.state, p.currency, u.use, coalesce(nullif(c.provider, ''), v.provider) as provider,
       nullif(c.billing_account, '') as billing_account,
       coalesce(nullif(c.account, ''), nullif(n.account, '')) as account,
       coalesce(nullif(n.region, ''), nullif(c.region, '')) as region, nullif(n.cluster, '') as cluster,
       case when u.use <> 'on_demand' then nullif(c.commitment_id, '') end as commitment,
       case when u.use <> 'on_demand' then u.class end as commitment_type,
       t.instance_type,
       @instance_family(t.instance_type) as instance_family,
       nullif(n.gpus, 0)::bigint as gpus, p.gpu_hours, p.capacity_gpu_hours,
       case when p.workload_id is null
         or p.cause in ('held_idle', 'overhead') then 'none' when k.class = 'run' then 'training'
             when k.class = 'service' then 'serving' else 'other' end as work,
       p.effective_cost, case when u.use in ('covered', 'on_demand') then coalesce(p.contracted_cost,
         p.list_cost) end as worth
from postings p
-- By the window and not by the hour of the posting: the server would take the two
-- for independent, expect a handful of rows, and read all lines of bills for each.
join parts b on b.tenant_id = @tenant and b.hour >= @from and b.hour < @to and b.part_id = p.part_id
left join nodes n on n.tenant_id = @tenant and n.node_id = p.node_id
left join workloads k on k.tenant_id = @tenant and k.workload_id = p.workload_id
left join owners o on o.tenant_id = @tenant and o.owner_id = p.owner_id
left join rates f on f.tenant_id = @tenant and f.rate_id = p.rate_id
left join (
  -- offset 0: by number, so that replaced deliveries are not read
  select d.delivery_id, l.* from deliveries d cross join lateral (
    select * from charge_lines x where x.tenant_id = @tenant and x.delivery = d.number offset 0) l
  where d.tenant_id = @tenant and d.delivery_id in (
    select z.delivery_id from parts z where z.tenant_id = @tenant and z.hour >= @from and z.hour < @to)
) c on c.delivery_id = b.delivery_id and c.charge_id = b.charge_id
cross join lateral (select @provider(n.provider_id) as provider) v
cross join lateral (select coalesce(nullif(n.instance_type, ''), nullif(c.instance_type, '')) as instance_type) t
cross join lateral (
  select w.class, case when b.kind = 'commitment_unused' then 'unused'
              when b.kind = 'commitment_fee' then 'fee'
              when p.kind = 'amortise' or c.kind = 'covered_usage'
                or w.class in ('savings_plan', 'reserved') then 'covered'
              when w.class = 'on_demand' then 'on_demand' end as use
  from (select coalesce(nullif(c.price_class, ''), nullif(f.price_class, ''),
      case when c.commitment_id like '%:savingsplan%' then 'savings_plan'
          when c.commitment_id <> '' then 'reserved' end) as class) w
) u
where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to
  and b.kind in ('compute', 'commitment_fee', 'commitment_unused') and u.use is not null

-- name: report.commitment_demand
-- How steadily teams hold machines of a family, and the cost of that without a commitment (docs/figures.md, 22.2).
with spent as materialized (
  select coalesce(nullif(o.team, ''), 'unowned') as team, s.instance_family, s.region, s.currency, s.use, s.state,
    sum(s.effective_cost) as effective_cost, sum(s.worth) as worth
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
  from (select (select max(u.hour) from usage u where u.tenant_id = @tenant and u.hour >= @from
    and u.hour < @to) as until,
               (select min(u.hour) from usage u where u.tenant_id = @tenant and u.hour >= @from
                 and u.hour < @to) as since) w
)
select s.team, s.instance_family, s.region, s.currency, s.state, coalesce(h.hours, 0)::bigint as held_hours,
       l.hours::bigint as lifetime_hours, e.hours::bigint as window_hours,
       @demand_class as demand, s.effective_cost,
       s.use, case when s.use = 'covered' then s.effective_cost else 0 end as covered_cost,
       case when s.use = 'on_demand' then s.effective_cost else 0 end as on_demand_cost,
       case when s.use = 'on_demand' and @coverable then s.effective_cost else 0 end as coverable_cost
from spent s
cross join seen e
left join held h on h.team = s.team and h.instance_family is not distinct from s.instance_family
  and h.region is not distinct from s.region
cross join lateral (select extract(epoch from e.until - h.since) / 3600 + 1 as hours) l

-- name: report.commitments
-- Commitments, and on-demand spend that no commitment covered, by family, region and account. Columns about a
-- commitment or family as a whole repeat in its rows.
with spent as materialized (
  select s.use, s.provider, s.billing_account, s.account, s.region, s.cluster, s.commitment, s.commitment_type,
         s.instance_type, s.instance_family, s.owner_id, s.state, s.currency,
         s.hour >= h.middle as later, sum(s.effective_cost) as effective_cost, sum(s.worth) as worth
  from (
@commitment_rows
  ) s
  cross join (@middle) h
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
), fell as ( -- those whose covered use was less in the second half of the window
  select commitment, currency, string_agg(team, ', ' order by team collate "C") as teams
  from (
    select s.commitment, s.currency, coalesce(nullif(o.team, ''), 'unowned') as team
    from spent s
    left join owners o on o.tenant_id = @tenant and o.owner_id = s.owner_id
    where s.use = 'covered' and s.commitment is not null
    group by 1, 2, 3
    having coalesce(sum(s.worth) filter (where s.later), 0) < coalesce(sum(s.worth) filter (where not s.later), 0)
  ) t
  group by commitment, currency
)
select s.provider, s.billing_account, s.account, s.region, s.commitment, s.commitment_type, s.instance_family,
       s.instance_type, s.cluster, s.state, s.currency, s.use,
       @owner_columns,
       s.effective_cost, abs(s.effective_cost) as effective_abs, s.worth,
       case when s.use = 'covered' then s.effective_cost else 0 end as used_cost,
       case when s.use = 'unused' then s.effective_cost else 0 end as unused_cost,
       case when s.use = 'fee' then s.effective_cost else 0 end as unspread_cost,
       case when s.use = 'on_demand' then s.effective_cost else 0 end as on_demand_cost,
       case when s.use = 'covered' then s.worth else 0 end as covered_worth,
       case when s.use in ('covered', 'on_demand') then s.worth else 0 end as coverable_worth,
       case when s.use in ('covered', 'unused') then s.effective_cost else 0 end as bought_cost,
       case when s.use = 'unused' and k.used < k.bought / 10 then s.effective_cost else 0 end as stranded_cost,
       k.used as commitment_used, k.bought as commitment_bought, g.covered as family_covered,
       g.coverable as family_coverable,
       case when s.use = 'unused' then coalesce(nullif(o.team, ''), 'unowned') end as unused_team,
         case when k.unused > 0 then l.teams end as teams_that_used_less
from spent s
left join owners o on o.tenant_id = @tenant and o.owner_id = s.owner_id
left join fell l on l.commitment = s.commitment and l.currency = s.currency
left join (
  select commitment, currency, coalesce(sum(effective_cost) filter (where use = 'covered'), 0) as used,
         coalesce(sum(effective_cost) filter (where use = 'unused'), 0) as unused,
         coalesce(sum(effective_cost) filter (where use in ('covered', 'unused')), 0) as bought
  from spent where commitment is not null group by 1, 2
) k on k.commitment = s.commitment and k.currency = s.currency
left join (
  select instance_family, region, currency, coalesce(sum(worth) filter (where use = 'covered'), 0) as covered,
    sum(worth) as coverable
  from spent where use in ('covered', 'on_demand') group by 1, 2, 3
) g on g.instance_family = s.instance_family and g.region is not distinct from s.region and g.currency = s.currency

-- name: report.held_hours
-- Hours in which a team held any machine of a family, for
-- report.commitment_demand and held_days.
select distinct u.hour, coalesce(nullif(o.team, ''), 'unowned') as team, n.instance_family, n.region, 1 as hours,
  u.hour as first_hour, u.hour as last_hour
from usage u
join (
  select n.node_id, nullif(n.region, '') as region, @instance_family(n.instance_type) as instance_family
  from nodes n where n.tenant_id = @tenant
) n on n.node_id = u.node_id
left join owners o on o.tenant_id = @tenant and o.owner_id = u.owner_id
where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to and u.held
