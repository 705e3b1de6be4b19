insert into scope_logins (tenant_id, login, scope_id, bound) values ($1, $2, $3, $4)
