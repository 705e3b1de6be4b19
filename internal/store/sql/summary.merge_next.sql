insert into sample_summaries as s (tenant_id, cluster, device, slice_id, profile, hour, node, device_index, model, source, figures, sketches)
select tenant_id, cluster, device, slice_id, profile, hour, node, device_index, model, source, figures, sketches
from next_summaries
on conflict (tenant_id, cluster, device, hour, slice_id, profile) do update
set node = excluded.node, device_index = excluded.device_index, model = excluded.model,
  source = excluded.source, figures = excluded.figures, sketches = excluded.sketches
