-- Hours in which a team held any machine of a family, for
-- report.commitment_demand and held_days.
select distinct u.hour, coalesce(nullif(o.team, ''), 'unowned') as team, n.instance_family, n.region, 1 as hours
from usage u
join (
  select n.node_id, nullif(n.region, '') as region,
         case when n.instance_type like '%.%' then regexp_replace(n.instance_type, '\.[^.]*$', '')
              when n.instance_type like 'Standard\_%' then regexp_replace(n.instance_type, '^(Standard_[A-Z]+)[0-9-]+', '\1')
              else regexp_replace(n.instance_type, '-[0-9]+g?$', '') end as instance_family
  from nodes n where n.tenant_id = @tenant
) n on n.node_id = u.node_id
left join owners o on o.tenant_id = @tenant and o.owner_id = u.owner_id
where u.tenant_id = @tenant and u.hour >= @from and u.hour < @to and u.held
