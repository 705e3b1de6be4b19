-- A session of role $4 sees as a user who is not disabled and another; who it is of.
update sessions s set as_user_id = o.user_id
from users u, users o
where s.tenant_id = $1 and s.digest = $2
  and u.tenant_id = s.tenant_id and u.user_id = s.user_id and u.role = $4 and u.disabled_at is null
  and o.tenant_id = s.tenant_id and o.name = $3 and o.user_id <> s.user_id and o.disabled_at is null
returning u.name
