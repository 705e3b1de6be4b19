-- Rows of hours whose summary is missing or of other samples; those whose minutes
-- are no longer kept stay as they are. By device and machine: there is no index by hour. The
-- summary is looked up by its whole key, whatever statistics say.
select c.hour, c.place_id, c.cluster, c.device, c.slice_id, c.profile, c.node, c.device_index, c.model, c.source, c.known is not null, c.vectors
from (
  select h.hour, coalesce(p.place_id, 0) as place_id, h.cluster, h.device, h.slice_id, h.profile, h.node, h.device_index, h.model, h.vectors,
    ('x' || left(md5(h.vectors), 16))::bit(64)::bigint as source,
    (select s.source from sample_summaries s where s.tenant_id = $1 and s.place_id = p.place_id and s.hour = h.hour) as known
  from (
    select tenant_id, cluster, device, node, device_index from devices where tenant_id = $1
    union all -- the machines themselves
    select distinct tenant_id, cluster, 'host/' || node, node, -1 from devices where tenant_id = $1
  ) d
  join sample_hours h on h.tenant_id = d.tenant_id and h.cluster = d.cluster and h.device = d.device and h.hour = any($2) and h.node = d.node and h.device_index = d.device_index
  left join sample_places p on p.tenant_id = h.tenant_id and p.cluster = h.cluster and p.device = h.device and p.slice_id = h.slice_id and p.profile = h.profile
    and p.node = h.node and p.device_index = h.device_index and p.model = h.model
  where d.tenant_id = $1
    and h.hour >= coalesce((select r.dropped_before from sample_retention r where r.tenant_id = $1), '-infinity')
  offset 0
) c
where c.known is null or c.known <> c.source
