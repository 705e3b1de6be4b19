select l.login, s.everything, s.conditions, l.bound
from scope_logins l join scopes s on s.tenant_id = l.tenant_id and s.scope_id = l.scope_id
where l.tenant_id = $1
order by l.login
