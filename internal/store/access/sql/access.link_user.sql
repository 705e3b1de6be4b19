select u.name from user_links l
join users u on u.tenant_id = l.tenant_id and u.user_id = l.user_id
where l.tenant_id = $1 and l.digest = $2 and l.expires_at > $3 and u.disabled_at is null
