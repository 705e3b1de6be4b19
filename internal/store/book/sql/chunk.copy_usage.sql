copy usage (tenant_id, node_id, hour, usage_id, slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id,
  cause, activity, owner_id, quality, method, seconds, active_seconds, weight_num, weight_den, held,
  gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh, generation) from stdin (format binary)
