-- What failed is free again.
update allocation_batches set message = $4, worker = null where tenant_id = $1 and calculation_id = $2 and batch = $3 and result is null
