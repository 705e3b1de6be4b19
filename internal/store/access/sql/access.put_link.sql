insert into user_links (tenant_id, digest, user_id, expires_at) values ($1, $2, $3, $4)
