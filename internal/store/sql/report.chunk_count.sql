select count(*) from chunks where tenant_id = $1
