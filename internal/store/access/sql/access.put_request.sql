-- What has expired goes.
with gone as (delete from sign_in_requests where tenant_id = $1 and expires_at <= $7)
insert into sign_in_requests (tenant_id, digest, nonce, verifier, back, address, expires_at) values ($1, $2, $3, $4, $5, $6, $8)
