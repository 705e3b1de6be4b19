-- For whom a request is answered of user $3 of issuer $2, who has role $4 and conditions $5 and was here since $7; none
-- where he has something else, is disabled, or comes anew. Session $8 counts where it is his own, and he sees as another
-- in it as access.session has it ($9). Use is noted to the minute.
with own as (
  select u.tenant_id, u.user_id, u.name, u.role, u.seen_at
  from users u
  left join scopes c on c.tenant_id = u.tenant_id and c.scope_id = u.scope_id
  where u.tenant_id = $1 and u.issuer = $2 and u.subject = $3 and u.disabled_at is null
    and u.role = $4 and coalesce(c.conditions, '{}') = $5::text[] and u.seen_at > $7
), seen as (
  update users set seen_at = $6
  where tenant_id = $1 and user_id in (
    select u.user_id from users u
    where u.tenant_id = $1 and u.user_id in (select user_id from own where seen_at < $6::timestamptz - interval '1 minute')
    for no key update skip locked) -- who is being changed is not waited for
), used as (
  update sessions set seen_at = $6
  where tenant_id = $1 and digest = $8 and user_id in (select user_id from own)
    and expires_at > $6 and seen_at > $7 and seen_at < $6::timestamptz - interval '1 minute'
)
select v.user_id, v.name, v.role, v.scope_id, coalesce(c.digest, ''), case when v.user_id <> own.user_id then own.name else '' end
from own
left join sessions s on s.tenant_id = own.tenant_id and s.user_id = own.user_id and s.digest = $8 and s.expires_at > $6 and s.seen_at > $7
left join users o on o.tenant_id = s.tenant_id and o.user_id = s.as_user_id and o.disabled_at is null and own.role = $9
join users v on v.tenant_id = own.tenant_id and v.user_id = coalesce(o.user_id, own.user_id)
left join scopes c on c.tenant_id = v.tenant_id and c.scope_id = v.scope_id
