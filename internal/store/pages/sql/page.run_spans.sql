-- What a run held, stretch by stretch.
select node_id, slot, coalesce(slice_id, -1), attempt_id, cause, from_at, to_at
from spans
where tenant_id = $1 and run_id = $2
order by node_id, slot, 3, from_at
