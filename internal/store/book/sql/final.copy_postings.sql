copy (
  select billing_account, billing_period, node_id, hour, posting_id, part_id, charge_id, part, usage_id, cause, activity, kind, adjusts, owner_id, method, quality, policy_version, currency,
  effective_cost, billed_cost, list_cost, contracted_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh,
  slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id
  from postings where tenant_id = :tenant and hour >= :from and hour < :to and state = 'final' and (:account is null or billing_account = :account and billing_period = :period)
) to stdout (format binary)
