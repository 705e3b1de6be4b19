copy next_checkpoints (tenant_id, cluster, namespace, pod, run, at, step) from stdin (format binary)
