-- Hours in which a team held any machine of a family, for
-- report.commitment_demand and held_days.
select distinct u.hour, coalesce(nullif(o.team, ''), 'unowned') as team, n.instance_family, n.region, 1 as hours, u.hour as first_hour, u.hour as last_hour
from usage u
join (
  select n.node_id, nullif(n.region, '') as region, @instance_family(n.instance_type) as instance_family
  from nodes n where n.tenant_id = @tenant
) n on n.node_id = u.node_id
left join owners o on o.tenant_id = @tenant and o.owner_id = u.owner_id
where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to and u.held
