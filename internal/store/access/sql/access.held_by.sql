-- What a user has, by the name as it is written, else as it would be stored today; locked,
-- so that changes of his follow each other.
select u.user_id, u.name, u.role, u.scope_id, coalesce(s.conditions, '{}'), u.disabled_at is not null, coalesce(u.issuer, ''), u.password is not null
from users u
left join scopes s on s.tenant_id = u.tenant_id and s.scope_id = u.scope_id
where u.tenant_id = $1 and u.name in ($2, $3)
order by u.name = $2 desc limit 1
for update of u
