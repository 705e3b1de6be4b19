-- A charge of a current delivery.
select c.delivery_id, c.currency, c.effective_cost, c.billed_cost, c.list_cost, c.contracted_cost
from charges c join deliveries d on d.tenant_id = $1 and d.delivery_id = c.delivery_id and d.state = 'current'
where c.tenant_id = $1 and c.charge_id = $2
order by d.rank desc, c.delivery_id
limit 1
