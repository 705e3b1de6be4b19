-- With the scope that it had.
with gone as (delete from scope_logins where tenant_id = $1 and login = $2 returning scope_id)
delete from scopes s using gone g where s.tenant_id = $1 and s.scope_id = g.scope_id
