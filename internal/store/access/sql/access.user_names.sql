select name from users where tenant_id = $1
