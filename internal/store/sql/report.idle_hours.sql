-- GPU-hours by hour of the week (UTC, 0 is Monday 00:00), cluster and instance
-- type. What idle share does not count needs no name.
select i.cluster, i.instance_type, i.region, i.gpu_model, i.hour_of_week, v.cause, v.capacity_gpu_hours
from (
@idle_rows
) i
cross join lateral (values ('free', i.free), ('held_idle', i.held_idle), ('stranded', i.out_of_reach), ('used', i.rest)) v (cause, capacity_gpu_hours)
where v.capacity_gpu_hours is not null
