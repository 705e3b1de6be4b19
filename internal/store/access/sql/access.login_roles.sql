-- Logins that the server still has.
select distinct l.login, l.bound from scope_logins l join pg_roles r on r.rolname = l.login where l.tenant_id = $1 and l.scope_id is not null order by 1
