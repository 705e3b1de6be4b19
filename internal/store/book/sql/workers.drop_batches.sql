delete from allocation_batches where tenant_id = $1 and (calculation_id = $2 or calculation_id in (select c.calculation_id from calculations c where c.tenant_id = $1 and c.finished_at is not null))
