-- Who held each hour of each slice of a day for how long; first of an hour who
-- it counts for (docs/figures.md 17.2).
select u.device, coalesce(u.slice_id, -1), u.hour, u.node_id, u.slot, coalesce(u.mig_profile, ''), u.owner_id, coalesce(w.class, ''), coalesce(w.namespace, '')
from usage u
left join workloads w on w.tenant_id = $1 and w.workload_id = u.workload_id
where u.tenant_id = $1 and u.hour >= $2 and u.hour < $2::timestamptz + interval '1 day' and u.slot >= 0 and u.device is not null
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, u.held
order by u.device, u.hour, u.held desc, sum(u.seconds) desc, u.owner_id, 8, 9, 2, 4, 5, 6
