copy next_segments (tenant_id, attempt_id, workload_id, from_at, to_at, weight) from stdin (format binary)
