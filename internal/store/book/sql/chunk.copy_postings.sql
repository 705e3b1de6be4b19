copy posting_rows (tenant_id, node_id, hour, posting_id, part_id, charge_id, rate_id, part, usage_id, terms_id, adjusts, owner_id,
  effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh,
  slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id, generation) from stdin (format binary)
