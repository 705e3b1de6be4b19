create temp table sample_conflicts on commit drop as
select row_number() over () as n, k.cluster, k.device, k.hour, k.slice_id, k.profile,
  max(v.node) as node, max(v.device_index) as device_index, max(v.model) as model, max(v.row_count) as row_count
from (
  select cluster, device, hour, slice_id, profile from next_samples group by cluster, device, hour, slice_id, profile having count(*) > 1
  union
  select n.cluster, n.device, n.hour, n.slice_id, n.profile
  from next_samples n join sample_hours s on s.tenant_id = n.tenant_id and s.cluster = n.cluster and s.device = n.device and s.hour = n.hour and s.slice_id = n.slice_id and s.profile = n.profile
  where s.vectors <> n.vectors or s.row_count < n.row_count
    or (s.node, s.device_index, s.model) is distinct from (n.node, n.device_index, n.model)
) k
join (
  select cluster, device, hour, slice_id, profile, node, device_index, model, row_count from next_samples
  union all
  select s.cluster, s.device, s.hour, s.slice_id, s.profile, s.node, s.device_index, s.model, s.row_count
  from sample_hours s join (select distinct tenant_id, cluster, device, hour, slice_id, profile from next_samples) n on s.tenant_id = n.tenant_id and s.cluster = n.cluster and s.device = n.device and s.hour = n.hour and s.slice_id = n.slice_id and s.profile = n.profile
) v on v.cluster = k.cluster and v.device = k.device and v.hour = k.hour and v.slice_id = k.slice_id and v.profile = k.profile
group by k.cluster, k.device, k.hour, k.slice_id, k.profile
