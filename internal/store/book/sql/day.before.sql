select s.device, s.device_index, s.model, s.slice_id, s.profile, s.hour, s.node, s.row_count, s.vectors
from devices d
cross join lateral (
  select l.hour from sample_hours l
  where l.tenant_id = $1 and l.cluster = $2 and l.device = d.device and l.hour >= $4 and l.hour < $5 and l.node = $3
  order by l.hour desc
  limit 1
) last
join sample_hours s on s.tenant_id = $1 and s.cluster = $2 and s.device = d.device and s.hour = last.hour and s.node = $3
where d.tenant_id = $1 and d.cluster = $2 and d.node = $3 and d.in_mig and d.first_hour < $5
order by s.device, s.hour, s.slice_id, s.profile
