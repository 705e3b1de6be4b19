insert into users (tenant_id, user_id, name, role, scope_id, password, created_at) values ($1, $2, $3, $4, $5, $6, $7)
on conflict (tenant_id, name) do nothing
