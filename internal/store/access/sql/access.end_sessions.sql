delete from sessions where tenant_id = $1 and user_id = $2
