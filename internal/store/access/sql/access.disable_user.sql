-- Not the last of role $4 who signs in here and sees everything: who sees a part gives
-- nobody access.
update users u set disabled_at = $3
where u.tenant_id = $1 and u.user_id = $2 and u.disabled_at is null
  and (u.role <> $4 or exists (
    select from users o where o.tenant_id = u.tenant_id and o.user_id <> u.user_id and o.role = $4 and o.disabled_at is null and o.password is not null and o.scope_id is null))
