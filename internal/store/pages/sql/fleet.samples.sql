-- All samples of a page of machines in the hours from $3 to $4.
select cluster, node, device, device_index, model, slice_id, profile, hour, last_at, vectors
from sample_hours
where tenant_id = $1 and node = any($2) and hour >= $3 and hour <= $4
