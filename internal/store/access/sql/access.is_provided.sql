select exists (select from users where tenant_id = $1 and user_id = $2 and issuer is not null)
