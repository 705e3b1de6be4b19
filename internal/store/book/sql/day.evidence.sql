select device, slice_id, namespace, pod, hour, minutes
from hold_evidence
where tenant_id = $1 and cluster = $2 and node = $3 and hour >= $4 and hour < $5
order by device, slice_id, namespace, pod, hour
