-- Sample hours of the slots that a run held; $3 slots at most.
select held.node_id, held.slot, held.slice_id, h.hour, h.vectors
from (
  select node_id, slot, coalesce(slice_id, -1) as slice_id, min(from_at) as first, max(to_at) as last
  from spans
  where tenant_id = $1 and run_id = $2
  group by node_id, slot, coalesce(slice_id, -1)
  order by slot, node_id, coalesce(slice_id, -1)
  limit $3
) held
join nodes n on n.tenant_id = $1 and n.node_id = held.node_id
join sample_words h on h.tenant_id = $1 and h.cluster = n.cluster and h.node = n.name
  and h.hour > held.first - interval '1 hour' and h.hour < held.last
  and h.device_index = held.slot and h.slice_id = held.slice_id
