select user_id, coalesce(password, '') from users where tenant_id = $1 and name = $2 and disabled_at is null
