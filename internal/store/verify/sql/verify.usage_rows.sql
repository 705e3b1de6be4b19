select u.usage_id, u.node_id, u.hour, u.slot, u.cause, u.activity, u.seconds, u.active_seconds, u.weight_num, u.weight_den,
  u.gpu_hours, u.capacity_gpu_hours, u.workload_id
from usage u
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $3
  and (u.weight_num < 0 or u.weight_den <= 0 or u.seconds < 0 or u.active_seconds < 0 or u.active_seconds > u.seconds
    or u.cause <> 'host' and u.weight_num > u.seconds * u.weight_den
    or u.cause = 'host' and (u.seconds, u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh) is distinct from (0, 0, 0, null)
    or u.held <> (u.workload_id is not null)
    or u.gpu_hours <> case when u.held then u.capacity_gpu_hours else 0 end)
limit 5
