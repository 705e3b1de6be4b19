-- Keeps that a logout token was acted on; nothing where it was before. What has expired goes.
with gone as (delete from logout_tokens where tenant_id = $1 and expires_at <= $3)
insert into logout_tokens (tenant_id, digest, expires_at) values ($1, $2, $4)
on conflict do nothing
