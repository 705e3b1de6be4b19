select exists (select from devices where tenant_id = $1 and cluster = $2 and node = $3 and in_mig)
