copy (
  select f.billing_account, f.billing_period, u.node_id, u.hour, u.usage_id, u.slot, u.device, u.slice_id, u.mig_profile, u.workload_id, u.run_id, u.attempt_id,
  u.cause, u.activity, u.owner_id, u.quality, u.method, u.seconds, u.active_seconds, u.weight_num, u.weight_den, u.held,
  u.gpu_hours, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh
  from usage u join frozen_hours f on f.tenant_id = u.tenant_id and f.node_id = u.node_id and f.hour = u.hour
  where u.tenant_id = :tenant and u.hour >= :from and u.hour < :to and (:account is null or f.billing_account = :account and f.billing_period = :period)
) to stdout (format binary)
