copy next_segments (tenant_id, attempt_id, workload_id, from_at, to_at, weight, loss_basis, loss_from) from stdin (format binary)
