select name from period_states
where tenant_id = $1 and calendar = 'billing' and billing_account = $2 and name > $3 and state = 'closed'
order by name
