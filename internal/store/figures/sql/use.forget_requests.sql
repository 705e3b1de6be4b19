delete from request_use where tenant_id = $1
