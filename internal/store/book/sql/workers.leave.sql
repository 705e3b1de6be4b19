delete from allocation_workers where tenant_id = $1 and worker = $2
