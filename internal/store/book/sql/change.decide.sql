update changes set state = $3, decided_by = $4, decided_at = $5, note = $6 where tenant_id = $1 and change_id = $2 and state = 'waiting'
