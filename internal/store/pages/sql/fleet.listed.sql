select cluster, name, last_seen from node_facts where tenant_id = $1 and last_seen >= $2
