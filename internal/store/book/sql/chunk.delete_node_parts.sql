delete from parts where tenant_id = $1 and node_id = $2 and hour = any ($3) and kind = 'provisional'
