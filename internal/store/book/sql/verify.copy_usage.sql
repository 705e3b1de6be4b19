copy (
  select node_id, hour, usage_id, slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id,
  cause, activity, owner_id, quality, method, seconds, active_seconds, weight_num, weight_den, held,
  gpu_hours, capacity_gpu_hours, active_gpu_hours, energy_kwh
  from usage u where tenant_id = :tenant and hour >= :from and hour < :to
    and not exists (select from frozen_hours f where f.tenant_id = u.tenant_id and f.node_id = u.node_id and f.hour = u.hour)
) to stdout (format binary)
