delete from usage where tenant_id = $1 and node_id = $2 and hour = any ($3) and not final
