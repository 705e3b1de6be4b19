-- GPU-hours by hour of the week (UTC, 0 is Monday 00:00), cluster and instance
-- type, added up before they are taken apart by cause: months have few rows, but
-- a year has twelve. What idle share does not count needs no name.
select i.cluster, i.instance_type, i.region, i.gpu_model, i.hour_of_week, v.cause, v.capacity_gpu_hours
from (
  select r.cluster, r.instance_type, r.region, r.gpu_model, r.hour_of_week,
         sum(r.free) as free, sum(r.held_idle) as held_idle, sum(r.out_of_reach) as out_of_reach, sum(r.rest) as rest
  from (
@idle_rows
  ) r
  group by 1, 2, 3, 4, 5
) i
cross join lateral (values ('free', i.free), ('held_idle', i.held_idle), ('stranded', i.out_of_reach), ('used', i.rest)) v (cause, capacity_gpu_hours)
where v.capacity_gpu_hours is not null
