select t.token_id, t.name, t.role, coalesce(s.conditions, '{}'), t.created_at, t.expires_at, t.revoked_at, t.used_at
from tokens t
left join scopes s on s.tenant_id = t.tenant_id and s.scope_id = t.scope_id
where t.tenant_id = $1
order by t.created_at desc, t.token_id
