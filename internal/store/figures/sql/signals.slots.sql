-- Where the slices were that some workloads held on a day, by hour.
select u.device, coalesce(u.slice_id, -1), u.hour, u.node_id, u.slot
from usage u
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $2::timestamptz + interval '1 day' and u.slot >= 0 and u.device is not null
  and u.workload_id = any ($3)
group by 1, 2, 3, 4, 5
order by 1, 2, 3, 4, 5
