with merged as (
  insert into sample_hours as s (tenant_id, cluster, device, hour, slice_id, profile, node, device_index, model, first_at, last_at, row_count, vectors)
  select $1, c.cluster, c.device, c.hour, c.slice_id, c.profile, c.node, c.device_index, c.model,
    c.hour + m.first_second * interval '1 second', c.hour + m.last_second * interval '1 second', c.row_count, m.vectors
  from sample_conflicts c join merged_vectors m using (n)
  on conflict (tenant_id, cluster, device, hour, slice_id, profile) do update
  set node = excluded.node, device_index = excluded.device_index, model = excluded.model,
    first_at = excluded.first_at, last_at = excluded.last_at, row_count = excluded.row_count, vectors = excluded.vectors
  where (s.node, s.device_index, s.model, s.vectors) is distinct from (excluded.node, excluded.device_index, excluded.model, excluded.vectors)
  returning cluster, device, hour, slice_id, profile, node, device_index, model, first_at, last_at
)
insert into changed_samples select * from merged
