-- GPU-hours by hour of the week (UTC, 0 is Monday 00:00), cluster and instance type.
select nullif(n.cluster, '') as cluster, nullif(n.instance_type, '') as instance_type, nullif(n.region, '') as region, nullif(n.gpu_model, '') as gpu_model,
       (extract(isodow from u.hour)::bigint - 1) * 24 + extract(hour from u.hour)::bigint as hour_of_week,
       u.cause, u.capacity_gpu_hours
from (
  select node_id, hour, cause, sum(capacity_gpu_hours) as capacity_gpu_hours
  from usage where tenant_id = @tenant and hour >= @from and hour < @to
  group by node_id, hour, cause
) u
join nodes n on n.tenant_id = @tenant and n.node_id = u.node_id
