select c.billing_account, c.billing_period
from next_changes c
join period_states p on p.tenant_id = $1 and p.calendar = 'billing' and p.name = c.billing_period and p.billing_account = c.billing_account and p.state = 'closed'
order by c.billing_account, c.billing_period
limit 1
