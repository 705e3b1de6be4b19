copy spans (tenant_id, node_id, day, slot, slice_id, workload_id, run_id, attempt_id, cause, from_at, to_at) from stdin (format binary)
