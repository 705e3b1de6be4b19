-- Staged samples beside what is stored of their device and hour: of their own
-- key, and of the same device on another node.
create temp table sample_matches on commit drop as
select n.cluster, n.device, n.hour, n.slice_id, n.profile, n.node, s.node as stored_node, s.device_index as stored_index,
  s.slice_id = n.slice_id and s.profile = n.profile as stored,
  s.slice_id = n.slice_id and s.profile = n.profile and (s.node < n.node or s.device_index < n.device_index) as displaced,
  s.slice_id = n.slice_id and s.profile = n.profile
    and (s.vectors <> n.vectors or s.node < n.node or s.device_index < n.device_index or s.model < n.model) as differs
from next_samples n
join sample_hours s on s.tenant_id = n.tenant_id and s.cluster = n.cluster and s.device = n.device and s.hour = n.hour
where s.slice_id = n.slice_id and s.profile = n.profile or s.node <> n.node
