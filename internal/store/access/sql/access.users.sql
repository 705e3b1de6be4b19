select u.user_id, u.name, u.role, coalesce(s.conditions, '{}'), u.created_at, u.disabled_at,
  (select max(x.seen_at) from sessions x where x.tenant_id = u.tenant_id and x.user_id = u.user_id), u.password is not null
from users u
left join scopes s on s.tenant_id = u.tenant_id and s.scope_id = u.scope_id
where u.tenant_id = $1
order by u.name
