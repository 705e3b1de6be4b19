update calculations set seen_at = now() where tenant_id = $1 and calculation_id = $2 and finished_at is null
