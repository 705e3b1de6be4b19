copy next_node_states (tenant_id, cluster, name, state, hour, minutes, known) from stdin (format binary)
