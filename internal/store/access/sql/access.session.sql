-- Use is noted to the minute.
with used as (
  update sessions set seen_at = $3
  where tenant_id = $1 and digest = $2 and expires_at > $3 and seen_at > $4 and seen_at < $3::timestamptz - interval '1 minute'
)
select u.user_id, u.name, u.role, u.scope_id, coalesce(c.digest, '')
from sessions s
join users u on u.tenant_id = s.tenant_id and u.user_id = s.user_id and u.disabled_at is null
left join scopes c on c.tenant_id = u.tenant_id and c.scope_id = u.scope_id
where s.tenant_id = $1 and s.digest = $2 and s.expires_at > $3 and s.seen_at > $4
