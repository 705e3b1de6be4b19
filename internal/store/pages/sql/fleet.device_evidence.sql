select slice_id, namespace, pod, hour, minutes
from hold_evidence
where tenant_id = $1 and cluster = $2 and device = $3 and hour >= $4 and hour <= $5 and node = $6
order by hour desc, slice_id, namespace, pod
