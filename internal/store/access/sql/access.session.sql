-- Use is noted to the minute. Who sees as another is still of role $5, and both are there;
-- else he sees as himself. Who never chose a password is of a demo, and passes there: $6. A
-- session of whom a proxy names, $7, is none without its word (access.proxied).
with used as (
  update sessions set seen_at = $3
  where tenant_id = $1 and digest = $2 and expires_at > $3 and seen_at > $4 and seen_at < $3::timestamptz - interval '1 minute'
  returning user_id
), seen as (
  update users set seen_at = $3
  where tenant_id = $1 and user_id in (
    select u.user_id from users u where u.tenant_id = $1 and u.user_id in (select user_id from used)
    for no key update skip locked) -- who is being changed is not waited for
)
select v.user_id, v.name, v.role, v.scope_id, coalesce(c.digest, ''), case when v.user_id <> u.user_id then u.name else '' end
from sessions s
join users u on u.tenant_id = s.tenant_id and u.user_id = s.user_id and u.disabled_at is null
  and (u.password is not null or u.issuer is not null or $6)
  and u.issuer is distinct from $7
left join users o on o.tenant_id = s.tenant_id and o.user_id = s.as_user_id and o.disabled_at is null and u.role = $5
join users v on v.tenant_id = s.tenant_id and v.user_id = coalesce(o.user_id, u.user_id)
left join scopes c on c.tenant_id = v.tenant_id and c.scope_id = v.scope_id
where s.tenant_id = $1 and s.digest = $2 and s.expires_at > $3 and s.seen_at > $4
