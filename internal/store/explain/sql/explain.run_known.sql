select exists (select from runs where tenant_id = $1 and run_id = $2)
