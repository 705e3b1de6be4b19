delete from slice_days where tenant_id = $1 and day = $2
