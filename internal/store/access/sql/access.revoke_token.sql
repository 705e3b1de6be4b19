update tokens set revoked_at = $3 where tenant_id = $1 and token_id = $2 and revoked_at is null returning name
