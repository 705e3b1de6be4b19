update users set role = $3, scope_id = $4 where tenant_id = $1 and user_id = $2
