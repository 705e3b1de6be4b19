select part_id, billing_period, coalesce(billing_account, '') from parts
where tenant_id = $1 and node_id is null and hour >= $2 and hour < $3 and billing_period is not null
