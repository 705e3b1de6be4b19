-- Sample rows of the node-hours asked for, whosever they are: the caller shows those of slices with rows of one's own.
select k.node_id, k.hour, s.device_index, s.device, s.slice_id, s.profile, s.model, s.row_count, s.vectors
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join nodes n on n.tenant_id = $1 and n.node_id = k.node_id
join sample_words s on s.tenant_id = $1 and s.cluster = n.cluster and s.node = n.name and s.hour = k.hour
order by k.hour, k.node_id, s.device_index, s.device, s.slice_id, s.profile
