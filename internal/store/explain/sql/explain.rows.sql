-- All usage rows of the node-hours asked for; the caller puts them in row-key order.
select u.node_id, u.hour, u.usage_id, u.slot, u.slice_id, u.device, u.mig_profile, coalesce(w.uid, ''), coalesce(w.namespace, ''), coalesce(w.name, ''),
       nullif(u.run_id, ''), a.attempt, coalesce(a.task, ''), o.team, u.cause, u.activity, u.seconds, u.active_seconds,
       u.weight_num::text, u.weight_den::text, u.quality, u.method, f.hour is not null
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join usage u on u.tenant_id = $1 and u.node_id = k.node_id and u.hour = k.hour
left join frozen_hours f on f.tenant_id = $1 and f.node_id = u.node_id and f.hour = u.hour
left join workloads w on w.tenant_id = $1 and w.workload_id = u.workload_id
left join attempts a on a.tenant_id = $1 and a.attempt_id = u.attempt_id
left join owners o on o.tenant_id = $1 and o.owner_id = u.owner_id
