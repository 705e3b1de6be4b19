insert into scope_logins (tenant_id, login, scope_id) values ($1, $2, $3)
on conflict (tenant_id, login) do update set scope_id = excluded.scope_id
