-- Whether the server has a role, whether it is a login of this ledger, and whether an administrator made it.
select exists (select from pg_roles where rolname = $2), l.login is not null, coalesce(l.bound, false)
from (values (1)) one
left join scope_logins l on l.tenant_id = $1 and l.login = $2 and l.scope_id is not null
