select count(*), min(received_at) from inbox where tenant_id = $1
