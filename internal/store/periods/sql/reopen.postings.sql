update posting_terms set state = 'open', billing_period = posted_period
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and state = 'final'
