update statements set reopened_at = $4, reopened_by = $5, reopen_reason = $6
where tenant_id = $1 and billing_account = $2 and billing_period = $3 and reopened_at is null
