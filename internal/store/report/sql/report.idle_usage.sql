-- GPU-hours of machines by hour and what they were, for star.idle. Hour of the week
-- is in UTC, 0 is Monday 00:00.
select u.hour, nullif(n.cluster, '') as cluster, nullif(n.instance_type, '') as instance_type, nullif(n.region, '') as region, nullif(n.gpu_model, '') as gpu_model,
       (extract(isodow from u.hour)::bigint - 1) * 24 + extract(hour from u.hour)::bigint as hour_of_week,
       u.capacity_gpu_hours, u.free_gpu_hours, u.held_idle_gpu_hours, u.idle_gpu_hours, u.observed_gpu_hours
from (
  select node_id, hour, sum(capacity_gpu_hours) as capacity_gpu_hours,
         coalesce(sum(capacity_gpu_hours) filter (where cause = 'free'), 0) as free_gpu_hours,
         coalesce(sum(capacity_gpu_hours) filter (where cause = 'held_idle'), 0) as held_idle_gpu_hours,
         coalesce(sum(capacity_gpu_hours) filter (where cause in (@idle_causes)), 0) as idle_gpu_hours,
         coalesce(sum(capacity_gpu_hours) filter (where cause <> 'unobserved' or gpu_hours > 0), 0) as observed_gpu_hours
  from usage where tenant_id = @tenant and hour >= @from and hour < @to
  group by node_id, hour
) u
join nodes n on n.tenant_id = @tenant and n.node_id = u.node_id
