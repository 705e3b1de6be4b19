insert into scope_logins (tenant_id, login, scope_id) values ($1, $2, $3)
