-- Who somebody of issuer $2 is; locked, so that two sign-ins of his follow each other.
select u.user_id, u.name, u.role, u.scope_id, coalesce(s.conditions, '{}'), u.disabled_at is not null
from users u
left join scopes s on s.tenant_id = u.tenant_id and s.scope_id = u.scope_id
where u.tenant_id = $1 and u.issuer = $2 and u.subject = $3
for update of u
