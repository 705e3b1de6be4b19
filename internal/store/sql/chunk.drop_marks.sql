delete from dirty where tenant_id = $1 and node_id = $2 and day = any ($3) and mark_id <= $4
