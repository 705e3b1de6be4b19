copy next_pod_states (tenant_id, cluster, uid, hour, minutes) from stdin (format binary)
