-- Quantities of the usage rows of the node-hours asked for.
select u.usage_id, u.node_id, u.hour, u.capacity_gpu_hours
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join usage u on u.tenant_id = $1 and u.node_id = k.node_id and u.hour = k.hour
