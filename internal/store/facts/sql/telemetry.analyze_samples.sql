analyze next_samples (tenant_id, cluster, device, hour, slice_id, profile, node)
