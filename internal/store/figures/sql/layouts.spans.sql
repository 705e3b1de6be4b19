select slot, coalesce(slice_id, -1), workload_id, attempt_id, cause, from_at, to_at
from spans
where tenant_id = $1 and node_id = $2 and day = $3
order by slot, slice_id nulls first, from_at, to_at, workload_id, attempt_id, cause
