-- Somebody who never chose a password, whom no provider signs in, and who is not disabled.
select user_id from users
where tenant_id = $1 and name = $2 and password is null and issuer is null and disabled_at is null
for update
