-- Staged samples of a device that another node has in that hour, stored or
-- staged; and stored ones whose place is about to change.
create temp table device_clashes on commit drop as
select n.cluster, n.device, n.hour, least(n.node, s.node) as lost_node, s.node as stored_node, s.device_index as stored_index, n.node <> s.node as clash
from next_samples n
join sample_hours s on s.tenant_id = n.tenant_id and s.cluster = n.cluster and s.device = n.device and s.hour = n.hour
where n.node <> s.node or n.device_index > s.device_index and n.slice_id = s.slice_id and n.profile = s.profile
union all
select n.cluster, n.device, n.hour, n.node, n.node, n.device_index, true
from next_samples n
join (select cluster, device, hour, max(node) as node from next_samples group by cluster, device, hour having min(node) <> max(node)) k
  on k.cluster = n.cluster and k.device = n.device and k.hour = n.hour and k.node <> n.node
