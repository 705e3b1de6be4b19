-- The first user, and whether nobody can sign in yet.
select name, not exists (select from users where tenant_id = $1 and password is not null)
from users where tenant_id = $1 order by created_at, name limit 1
