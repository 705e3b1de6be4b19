select device, slice_id, profile, min(hour), max(hour)
from sample_hours
where tenant_id = $1 and cluster = $2 and node = $3 and hour >= $4 and hour < $5 and slice_id >= 0
group by device, slice_id, profile
order by device, slice_id, profile
