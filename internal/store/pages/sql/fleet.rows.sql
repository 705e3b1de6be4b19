-- The newest hour of every device that was seen since $2.
select d.cluster, d.node, s.device, s.device_index, s.model, s.slice_id, s.profile, s.hour, s.last_at, s.vectors
from devices d
join sample_hours s on s.tenant_id = d.tenant_id and s.cluster = d.cluster and s.device = d.device and s.hour = d.last_hour and s.node = d.node
where d.tenant_id = $1 and d.last_at >= $2
