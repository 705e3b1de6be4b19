copy next_evidence (tenant_id, cluster, device, slice_id, namespace, pod, hour, node, minutes) from stdin (format binary)
