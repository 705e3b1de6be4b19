select day, generation, digest, hours from chunks where tenant_id = $1 and node_id = $2 and day = any ($3) for update
