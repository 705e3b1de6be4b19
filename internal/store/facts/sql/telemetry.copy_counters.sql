copy next_counters (tenant_id, cluster, namespace, pod, server, model, engine, hour, vectors) from stdin (format binary)
