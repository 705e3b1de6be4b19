update users set disabled_at = $3 where tenant_id = $1 and user_id = $2
