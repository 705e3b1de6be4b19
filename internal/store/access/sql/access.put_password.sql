update users set password = $3 where tenant_id = $1 and user_id = $2
