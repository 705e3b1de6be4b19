select created_by from tokens where tenant_id = $1 and token_id = $2
