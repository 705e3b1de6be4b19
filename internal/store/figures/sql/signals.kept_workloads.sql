select workload_id, owner_id, node_id, activity_bins from star.workload_signal_days where tenant_id = $1 and at = $2
