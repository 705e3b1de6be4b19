select u.issuer
from sessions s
join users u on u.tenant_id = s.tenant_id and u.user_id = s.user_id
where s.tenant_id = $1 and s.digest = $2 and u.issuer is not null
