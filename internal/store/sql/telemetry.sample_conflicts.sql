create temp table sample_conflicts on commit drop as
select row_number() over () as n, k.*
from (
  select tenant_id, cluster, device, hour, slice_id, profile from next_samples group by tenant_id, cluster, device, hour, slice_id, profile having count(*) > 1
  union
  select n.tenant_id, n.cluster, n.device, n.hour, n.slice_id, n.profile
  from next_samples n join sample_hours s on s.tenant_id = n.tenant_id and s.cluster = n.cluster and s.device = n.device and s.hour = n.hour and s.slice_id = n.slice_id and s.profile = n.profile
  where s.vectors <> n.vectors or s.node < n.node or s.device_index < n.device_index or s.model < n.model
) k
