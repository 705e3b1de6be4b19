copy next_placements (tenant_id, cluster, workload, evidence, node, device, slice_id, from_at, to_at, core_share, memory_share) from stdin (format binary)
