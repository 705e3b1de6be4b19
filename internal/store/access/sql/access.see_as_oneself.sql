-- Whose session it is, and as whom it saw until now.
update sessions s set as_user_id = null
from sessions was
join users u on u.tenant_id = was.tenant_id and u.user_id = was.user_id
join users o on o.tenant_id = was.tenant_id and o.user_id = was.as_user_id
where s.tenant_id = $1 and s.digest = $2 and was.tenant_id = s.tenant_id and was.digest = s.digest
returning u.name, o.name
