analyze next_counters (tenant_id, cluster, namespace, pod, hour)
