with added as (
  insert into sample_hours (tenant_id, cluster, device, hour, slice_id, profile, node, device_index, model, first_at, last_at, row_count, vectors)
  select n.tenant_id, n.cluster, n.device, n.hour, n.slice_id, n.profile, n.node, n.device_index, n.model, n.first_at, n.last_at, n.row_count, n.vectors
  from next_samples n
  where n.tenant_id = $1
    and not exists (select from sample_conflicts c where c.cluster = n.cluster and c.device = n.device and c.hour = n.hour and c.slice_id = n.slice_id and c.profile = n.profile)
    and not exists (select from sample_matches s where s.stored and s.cluster = n.cluster and s.device = n.device and s.hour = n.hour and s.slice_id = n.slice_id and s.profile = n.profile)
  returning cluster, device, hour, slice_id, profile, node, device_index, model, first_at, last_at
)
insert into changed_samples select * from added
