select exists (select from posting_rows where tenant_id = $1 and posting_id = $2)
