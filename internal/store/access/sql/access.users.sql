select u.user_id, u.name, u.role, coalesce(s.conditions, '{}'), u.created_at, u.disabled_at,
  u.seen_at, u.password is not null, coalesce(u.issuer, '')
from users u
left join scopes s on s.tenant_id = u.tenant_id and s.scope_id = u.scope_id
where u.tenant_id = $1
order by u.name
