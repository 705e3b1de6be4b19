delete from inbox where tenant_id = $1 and receiver = $2 and number <= $3
