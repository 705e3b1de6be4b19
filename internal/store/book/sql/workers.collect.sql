delete from allocation_batches where tenant_id = $1 and calculation_id = $2 and result is not null returning result
