-- The first answer counts: another one says the same.
update allocation_batches set result = $4::jsonb, message = null where tenant_id = $1 and calculation_id = $2 and batch = $3 and result is null
