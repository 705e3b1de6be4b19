-- A charge of a current delivery.
select d.delivery_id, c.currency, c.effective_cost, c.billed_cost, c.list_cost, c.contracted_cost
from deliveries d
cross join lateral (
  select * from charge_lines l where l.tenant_id = $1 and l.delivery = d.number and l.charge_id = $2 offset 0
) c
where d.tenant_id = $1 and d.state = 'current'
order by d.rank desc, d.preference desc, d.delivery_id
limit 1
