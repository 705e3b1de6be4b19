select distinct t.delivery_id, t.account, t.billing_period, t.currency
from control_totals t
join deliveries d on d.tenant_id = t.tenant_id and d.delivery_id = t.delivery_id and d.state = 'current'
where t.tenant_id = $1 and t.role = 'book'
order by t.delivery_id, t.account, t.billing_period, t.currency
