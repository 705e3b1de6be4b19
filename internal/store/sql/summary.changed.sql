-- Rows of hours whose summary is missing or of other samples; those whose minutes
-- are no longer kept stay as they are. By device: there is no index by hour.
select h.hour, h.cluster, h.device, h.slice_id, h.profile, h.node, h.device_index, h.model, md5(h.vectors)::uuid, s.source is not null, h.vectors
from devices d
join sample_hours h on h.tenant_id = d.tenant_id and h.cluster = d.cluster and h.device = d.device and h.hour = any($2) and h.node = d.node and h.device_index = d.device_index
left join sample_summaries s on s.tenant_id = h.tenant_id and s.cluster = h.cluster and s.device = h.device and s.hour = h.hour and s.slice_id = h.slice_id and s.profile = h.profile
where d.tenant_id = $1
  and h.hour >= coalesce((select r.dropped_before from sample_retention r where r.tenant_id = $1), '-infinity')
  and (s.source is null or s.source <> md5(h.vectors)::uuid or s.node <> h.node or s.device_index <> h.device_index or s.model <> h.model)
