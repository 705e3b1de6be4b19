select c.billing_account, c.billing_period
from charge_scopes c
join period_states p on p.tenant_id = c.tenant_id and p.calendar = 'billing' and p.name = c.billing_period and p.billing_account = c.billing_account and p.state = 'closed'
where c.tenant_id = $1 and c.delivery = $2
order by c.billing_account, c.billing_period
limit 1
