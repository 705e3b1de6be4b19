-- What amortised in earlier hours is closed with this period, which it then counts to.
update posting_terms set state = 'final', billing_period = $3
where tenant_id = $1 and billing_account = $2 and settles <= $3 and state = 'open' and (billing_period = $3 or kind = 'amortise')
