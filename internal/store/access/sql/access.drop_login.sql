delete from scope_logins where tenant_id = $1 and login = $2
