select billing_account, billing_period, version, digest, rows_digest, lines from statements
where tenant_id = $1 and ($2::text is null or billing_period = $2)
order by number
