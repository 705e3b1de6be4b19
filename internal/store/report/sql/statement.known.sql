select exists (
  select from statements
  where tenant_id = $1 and ($2 = '' or billing_account = $2) and billing_period = $3 and (version = $4 or $4 = 0 and reopened_at is null))
