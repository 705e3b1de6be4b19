copy (
  select node_id, hour, posting_id, part_id, charge_id, rate_id, part, usage_id, billing_period, billing_account,
  cause, activity, kind, adjusts, owner_id, method, quality, policy_version, currency, state,
  effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh,
  slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id
  from postings where tenant_id = :tenant and hour >= :from and hour < :to and state <> 'final'
) to stdout (format binary)
