-- Nobody sees as user $2 any more; who did.
update sessions s set as_user_id = null
from users u
where s.tenant_id = $1 and s.as_user_id = $2 and u.tenant_id = s.tenant_id and u.user_id = s.user_id
returning u.name
