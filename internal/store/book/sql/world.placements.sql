select cluster, workload, evidence, node, device, slice_id, from_at, to_at, core_share, memory_share
from placements where tenant_id = $1
order by cluster, workload, evidence, node, device, slice_id, from_at
