copy next_checkpoints (tenant_id, cluster, namespace, pod, at) from stdin (format binary)
