delete from user_links where tenant_id = $1 and digest = $2 and expires_at > $3
