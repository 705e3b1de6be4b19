update devices d
set first_at = (select min(s.first_at) from sample_hours s
      where s.tenant_id = d.tenant_id and s.cluster = d.cluster and s.device = d.device and s.hour = d.first_hour and s.node = d.node and s.device_index = d.device_index)
from (select cluster, node, device, device_index, min(hour) as first_hour, min(first_at) as first_at
      from changed_samples group by cluster, node, device, device_index) c
where d.tenant_id = $1 and d.cluster = c.cluster and d.node = c.node and d.device = c.device and d.device_index = c.device_index
  and d.first_hour = c.first_hour and d.first_at < c.first_at
