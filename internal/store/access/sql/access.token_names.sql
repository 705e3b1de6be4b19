select distinct name from tokens where tenant_id = $1 and revoked_at is null
