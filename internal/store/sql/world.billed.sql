with lines as (
  select c.resource_id, c.charge_id, c.delivery_id, c.billing_month, c.charge_start, c.charge_end
  from charges c
  join deliveries d on d.tenant_id = c.tenant_id and d.delivery_id = c.delivery_id and d.state = 'current'
  where c.tenant_id = $1 and c.instance_hours and c.resource_id is not null
    and exists (select from control_totals t where t.tenant_id = c.tenant_id and t.delivery_id = c.delivery_id and t.role = 'book')
), life as (
  select resource_id, min(charge_start) as from_at, max(charge_end) as to_at from lines group by resource_id
), newest as (
  select distinct on (l.resource_id) l.*, life.from_at, life.to_at
  from life
  join lines l on l.resource_id = life.resource_id and l.charge_end = life.to_at
  order by l.resource_id, l.charge_start desc, l.charge_id
)
select n.resource_id, c.instance_type, c.region, c.zone, c.price_class, c.account, t.tags, n.from_at, n.to_at,
  c.currency, c.effective_cost, c.usage_amount
from newest n
join charges c on c.tenant_id = $1 and c.billing_month = n.billing_month and c.delivery_id = n.delivery_id and c.charge_id = n.charge_id
left join tag_sets t on t.tenant_id = c.tenant_id and t.tag_set_id = c.tag_set_id
order by n.resource_id
