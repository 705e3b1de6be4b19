select cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, service, device_model, region, provider,
  slices, gpu_hours, hours, activity, memory, slice_memory, day, held_hours
from demand_days
where tenant_id = $1 and day >= date_trunc('day', $2::timestamptz, 'UTC') and day < $3
order by cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, day
