delete from device_signals where tenant_id = $1 and day = $2
