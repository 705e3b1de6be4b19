select user_id from users where tenant_id = $1 and name = $2
