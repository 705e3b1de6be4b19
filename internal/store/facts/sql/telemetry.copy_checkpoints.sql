copy next_checkpoints (tenant_id, cluster, namespace, pod, run, at, step, took, statement) from stdin (format binary)
