copy pod_use_days (tenant_id, day, cluster, namespace, pod, cpu, memory) from stdin (format binary)
