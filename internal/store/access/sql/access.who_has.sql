-- Whose session it is, whomever he sees as.
select u.user_id, u.name, coalesce(u.password, ''), coalesce(u.issuer, '')
from sessions s
join users u on u.tenant_id = s.tenant_id and u.user_id = s.user_id and u.disabled_at is null
where s.tenant_id = $1 and s.digest = $2
