insert into tokens (tenant_id, token_id, name, role, scope_id, digest, created_at, expires_at, created_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
