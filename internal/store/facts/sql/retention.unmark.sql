delete from dirty where tenant_id = $1 and day <= $2
