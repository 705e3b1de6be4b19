-- Use is noted to the minute.
with used as (
  update tokens set used_at = $3
  where tenant_id = $1 and digest = $2 and revoked_at is null and (expires_at is null or expires_at > $3)
    and (used_at is null or used_at < $3::timestamptz - interval '1 minute')
)
select t.token_id, t.name, t.role, t.scope_id, coalesce(c.digest, ''), ''
from tokens t
left join scopes c on c.tenant_id = t.tenant_id and c.scope_id = t.scope_id
where t.tenant_id = $1 and t.digest = $2 and t.revoked_at is null and (t.expires_at is null or t.expires_at > $3)
