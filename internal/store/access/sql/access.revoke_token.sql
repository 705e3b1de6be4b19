update tokens t set revoked_at = $3 where t.tenant_id = $1 and t.token_id = $2 and t.revoked_at is null
returning t.name, t.role, coalesce((select s.conditions from scopes s where s.tenant_id = t.tenant_id and s.scope_id = t.scope_id), '{}'), t.expires_at
