select device, hour, vectors
from sample_hours
where tenant_id = $1 and cluster = $2 and node = $3 and hour >= $4 and hour < $5 and slice_id = -1
order by device, hour, profile
