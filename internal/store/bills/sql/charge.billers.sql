select distinct v.account, i.provider
from deliveries d
join delivery_coverage v on v.tenant_id = d.tenant_id and v.delivery_id = d.delivery_id
join charge_items i on i.tenant_id = d.tenant_id and i.delivery = d.number and i.instance_hours
where d.tenant_id = $1 and d.state = 'current'
order by 1, 2
