update shares set state = 'open'
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and state = 'final'
