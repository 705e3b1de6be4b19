-- The hours in which a period has parts.
select min(hour), max(hour) from parts where tenant_id = $1 and billing_account = $2 and billing_period = $3
