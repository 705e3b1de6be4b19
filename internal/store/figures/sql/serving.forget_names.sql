delete from served_names where tenant_id = $1 and day = $2
