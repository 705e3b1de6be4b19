select day, generation, digest from chunks where tenant_id = $1 and node_id = $2 and day = any ($3) for update
