-- Sketches of the hours from $2 to $3 of the devices chosen; null chooses all.
select s.cluster, s.node, s.device, s.slice_id, s.hour, s.sketches
from devices d
join sample_summaries s on s.tenant_id = d.tenant_id and s.cluster = d.cluster and s.device = d.device and s.node = d.node and s.device_index = d.device_index and s.hour >= $2 and s.hour < $3
where d.tenant_id = $1 and d.last_hour >= $2 and d.first_hour < $3
  and ($4::text is null or d.cluster = $4) and ($5::text is null or d.node = $5) and ($6::text is null or d.device = $6)
