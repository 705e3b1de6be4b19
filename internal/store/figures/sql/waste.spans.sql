-- Who held what of the machines on a day, and why nobody did.
select node_id, slot, coalesce(slice_id, -1), workload_id, attempt_id, cause, from_at, to_at
from spans
where tenant_id = $1 and day = $2 and node_id = any($3::uuid[])
order by node_id, from_at, slot, slice_id, workload_id, attempt_id, cause
