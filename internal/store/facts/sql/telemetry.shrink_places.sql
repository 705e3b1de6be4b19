update devices d
set (first_hour, last_hour, first_at, last_at) = (
  select x.first_hour, x.last_hour,
    coalesce((select min(s.first_at) from sample_hours s where s.tenant_id = $1 and s.cluster = d.cluster and s.device = d.device
      and s.hour = x.first_hour and s.node = d.node and s.device_index = d.device_index), d.first_at),
    coalesce((select max(s.last_at) from sample_hours s where s.tenant_id = $1 and s.cluster = d.cluster and s.device = d.device
      and s.hour = x.last_hour and s.node = d.node and s.device_index = d.device_index), d.last_at)
  from (
    -- hours before the lost ones may be gone from the samples, but they were there
    select case when d.first_hour >= l.first_hour then coalesce(min(s.hour), d.first_hour) else d.first_hour end as first_hour,
      case when d.last_hour <= l.last_hour then greatest(d.first_hour, max(s.hour)) else d.last_hour end as last_hour
    from sample_hours s
    where s.tenant_id = $1 and s.cluster = d.cluster and s.device = d.device and s.node = d.node and s.device_index = d.device_index
  ) x)
from (select cluster, device, stored_node as node, stored_index as device_index, min(hour) as first_hour, max(hour) as last_hour
      from device_clashes group by cluster, device, stored_node, stored_index) l
where d.tenant_id = $1 and d.cluster = l.cluster and d.device = l.device and d.node = l.node and d.device_index = l.device_index
  and (d.first_hour >= l.first_hour and d.first_hour <= l.last_hour or d.last_hour >= l.first_hour and d.last_hour <= l.last_hour)
