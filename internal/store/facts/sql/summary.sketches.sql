-- Sketches of the hours from $2 to $3 of the devices chosen; null chooses all.
select p.cluster, p.node, p.device, p.slice_id, s.hour, s.sketches
from sample_places p
join sample_summaries s on s.tenant_id = p.tenant_id and s.place_id = p.place_id and s.hour >= $2 and s.hour < $3
where p.tenant_id = $1
  and ($4::text is null or p.cluster = $4) and ($5::text is null or p.node = $5) and ($6::text is null or p.device = $6)
