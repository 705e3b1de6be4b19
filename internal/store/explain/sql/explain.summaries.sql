-- Summaries of the node-hours asked for whose minutes are no longer kept.
select k.node_id, k.hour, p.device_index, p.device, p.slice_id, p.profile, p.model, g.name, f.minutes, f.total, f.low, f.high
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join nodes n on n.tenant_id = $1 and n.node_id = k.node_id
join sample_places p on p.tenant_id = $1 and p.cluster = n.cluster and p.node = n.name
join sample_summaries s on s.tenant_id = $1 and s.place_id = p.place_id and s.hour = k.hour
cross join lateral sample_figures(s.figures) f
join sample_signals g on g.tenant_id = $1 and g.signal = f.signal
order by k.hour, k.node_id, p.device_index, p.device, p.slice_id, p.profile, f.signal
