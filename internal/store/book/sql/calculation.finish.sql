update calculations set finished_at = $3, chunks = $4, message = nullif($5, '')
where tenant_id = $1 and calculation_id = $2 and finished_at is null
