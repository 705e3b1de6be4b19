delete from machine_doubles where tenant_id = $1
