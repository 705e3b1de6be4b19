analyze next_samples (tenant_id, cluster, device, hour, slice_id, profile, node);
analyze next_evidence;
analyze next_inference (tenant_id, cluster, namespace, pod, hour)
