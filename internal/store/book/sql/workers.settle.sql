-- The first answer counts: another one says the same.
update allocation_batches set result = coalesce(result, $4::jsonb), message = $5
where tenant_id = $1 and calculation_id = $2 and batch = $3 and result is null
