-- What the metered parts of a day without a node name as their resource.
select m.charge_id, l.resource_id
from (
  select distinct p.charge_id, p.delivery_id
  from parts p
  where p.tenant_id = $1 and p.node_id is null and p.kind = 'metered' and p.hour >= $2 and p.hour < $3
) m
join deliveries d on d.tenant_id = $1 and d.delivery_id = m.delivery_id
cross join lateral (
  select c.resource_id from charge_lines c where c.tenant_id = $1 and c.delivery = d.number and c.charge_id = m.charge_id offset 0
) l
where l.resource_id is not null and l.resource_id <> ''
