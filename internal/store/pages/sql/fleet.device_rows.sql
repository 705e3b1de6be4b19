select cluster, node, device, device_index, model, slice_id, profile, hour, last_at, vectors
from sample_hours
where tenant_id = $1 and cluster = $2 and device = $3 and hour >= $4 and hour <= $5 and node = $6
order by hour
