update restatements set added = $4, removed = $5, changed = $6
where tenant_id = $1 and delivery_id = $2 and replaced = $3
