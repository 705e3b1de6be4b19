with merged as (
  insert into sample_hours as s (tenant_id, cluster, device, hour, slice_id, profile, node, device_index, model, first_at, last_at, row_count, vectors)
  select c.tenant_id, c.cluster, c.device, c.hour, c.slice_id, c.profile, c.node, c.device_index, c.model,
    c.hour + m.first_second * interval '1 second', c.hour + m.last_second * interval '1 second', c.row_count, m.vectors
  from sample_conflicts c
  join merged_vectors m on m.n = c.n
  where c.tenant_id = $1
  on conflict (tenant_id, cluster, device, hour, slice_id, profile) do update
  set node = greatest(s.node, excluded.node), device_index = greatest(s.device_index, excluded.device_index),
    model = greatest(s.model, excluded.model), first_at = excluded.first_at, last_at = excluded.last_at,
    row_count = greatest(s.row_count, excluded.row_count), vectors = excluded.vectors
  where s.vectors <> excluded.vectors or s.node < excluded.node or s.device_index < excluded.device_index or s.model < excluded.model
  returning cluster, device, hour, slice_id, profile, node, device_index, model, first_at, last_at
)
insert into changed_samples select * from merged
