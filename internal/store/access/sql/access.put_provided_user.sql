insert into users (tenant_id, user_id, name, role, scope_id, created_at, issuer, subject) values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict do nothing
