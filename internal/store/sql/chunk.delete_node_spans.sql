delete from spans where tenant_id = $1 and node_id = $2 and day = any ($3)
