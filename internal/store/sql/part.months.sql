select distinct billing_period from charges where tenant_id = $1 and delivery_id = $2 order by billing_period
