select account, covered_until from coverage where tenant_id = $1
