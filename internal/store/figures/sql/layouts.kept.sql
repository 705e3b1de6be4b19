select slot, number, device, model, from_at, to_at, slice_ids, profiles, weights, denominator, free, stranded, assumed,
  compute, memory, free_compute, largest, dead_compute, dead_memory, fragmentation_ppm
from layout_days
where tenant_id = $1 and node_id = $2 and day = $3
order by slot, number
