-- GPU-hours of machines by hour and what they were, for report.idle_hours and
-- idle_days. Hour of the week is in UTC, 0 is Monday 00:00.
select u.hour, nullif(n.cluster, '') as cluster, nullif(n.instance_type, '') as instance_type, nullif(n.region, '') as region, nullif(n.gpu_model, '') as gpu_model,
       (extract(isodow from u.hour)::bigint - 1) * 24 + extract(hour from u.hour)::bigint as hour_of_week,
       u.free, u.held_idle, u.out_of_reach, u.rest
from (
  select node_id, hour,
         sum(capacity_gpu_hours) filter (where cause = 'free') as free, sum(capacity_gpu_hours) filter (where cause = 'held_idle') as held_idle,
         sum(capacity_gpu_hours) filter (where cause in ('stranded', 'unavailable')) as out_of_reach,
         sum(capacity_gpu_hours) filter (where cause not in ('free', 'held_idle', 'stranded', 'unavailable')) as rest
  from usage where tenant_id = @tenant and hour >= @from and hour < @to
  group by node_id, hour
) u
join nodes n on n.tenant_id = @tenant and n.node_id = u.node_id
