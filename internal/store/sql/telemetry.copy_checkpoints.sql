copy next_checkpoints (tenant_id, cluster, namespace, pod, run, at, step, took) from stdin (format binary)
