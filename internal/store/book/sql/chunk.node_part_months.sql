select part_id, billing_period, coalesce(billing_account, '') from parts
where tenant_id = $1 and node_id = $2 and hour >= $3 and hour < $4 and billing_period is not null
