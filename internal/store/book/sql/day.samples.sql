select device, device_index, model, slice_id, profile, hour, node, row_count, vectors
from sample_hours
where tenant_id = $1 and cluster = $2 and node = $3 and hour >= $4 and hour < $5 and device not like 'host/%'
order by hour, device, slice_id, profile
