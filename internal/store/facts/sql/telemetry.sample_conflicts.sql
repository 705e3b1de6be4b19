-- Hours that came more than once or differ from what is stored, with what the
-- staged versions say beside their vectors.
create temp table sample_conflicts on commit drop as
select row_number() over () as n, tenant_id, cluster, device, hour, slice_id, profile,
  max(node) as node, max(device_index) as device_index, max(model) as model, max(row_count) as row_count
from next_samples x
group by tenant_id, cluster, device, hour, slice_id, profile
having count(*) > 1
  or (cluster, device, hour, slice_id, profile) in (select cluster, device, hour, slice_id, profile from sample_matches where differs)
