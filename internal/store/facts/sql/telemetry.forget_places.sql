delete from devices d
using (select cluster, device, stored_node as node, stored_index as device_index, min(hour) as first_hour, max(hour) as last_hour
       from device_clashes group by cluster, device, stored_node, stored_index) l
where d.tenant_id = $1 and d.cluster = l.cluster and d.device = l.device and d.node = l.node and d.device_index = l.device_index
  and d.first_hour >= l.first_hour and d.last_hour <= l.last_hour
  and not exists (select from sample_hours s where s.tenant_id = $1 and s.cluster = d.cluster and s.device = d.device
    and s.hour >= l.first_hour and s.hour <= l.last_hour and s.node = d.node and s.device_index = d.device_index)
