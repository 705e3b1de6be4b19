select billing_account from parts
where tenant_id = $1 and billing_period = $2 and billing_account is not null
union
select billing_account from period_states where tenant_id = $1 and calendar = 'billing' and name = $2 and state = 'closed'
order by 1
