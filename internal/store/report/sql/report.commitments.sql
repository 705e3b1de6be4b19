-- Commitments, and the on-demand spend that none covered, by family, region and
-- account. What holds of a commitment or a family as a whole stands beside.
with spent as materialized (
  select s.use, s.provider, s.billing_account, s.account, s.region, s.cluster, s.commitment, s.commitment_type, s.instance_type, s.instance_family, s.owner_id, s.state, s.currency,
         s.hour >= h.middle as later, sum(s.effective_cost) as effective_cost, sum(s.worth) as worth
  from (
@commitment_rows
  ) s
  cross join (@middle) h
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
), fell as ( -- whose covered use was less in the second half of the window
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
select s.provider, s.billing_account, s.account, s.region, s.commitment, s.commitment_type, s.instance_family, s.instance_type, s.cluster, s.state, s.currency, s.use,
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
       k.used as commitment_used, k.bought as commitment_bought, g.covered as family_covered, g.coverable as family_coverable,
       case when s.use = 'unused' then coalesce(nullif(o.team, ''), 'unowned') end as unused_team, case when k.unused > 0 then l.teams end as teams_that_used_less
from spent s
left join owners o on o.tenant_id = @tenant and o.owner_id = s.owner_id
left join fell l on l.commitment = s.commitment and l.currency = s.currency
left join (
  select commitment, currency, coalesce(sum(effective_cost) filter (where use = 'covered'), 0) as used,
         coalesce(sum(effective_cost) filter (where use = 'unused'), 0) as unused, coalesce(sum(effective_cost) filter (where use in ('covered', 'unused')), 0) as bought
  from spent where commitment is not null group by 1, 2
) k on k.commitment = s.commitment and k.currency = s.currency
left join (
  select instance_family, region, currency, coalesce(sum(worth) filter (where use = 'covered'), 0) as covered, sum(worth) as coverable
  from spent where use in ('covered', 'on_demand') group by 1, 2, 3
) g on g.instance_family = s.instance_family and g.region is not distinct from s.region and g.currency = s.currency
