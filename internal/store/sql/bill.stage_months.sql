select distinct billing_month from next_charges where tenant_id = $1 order by billing_month
