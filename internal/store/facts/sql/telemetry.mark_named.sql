-- Days of slots that have a device of another name once these samples are in
-- (report.device_usage): from the day on that it was first seen, all where the slot
-- had none before.
insert into stale_days (tenant_id, day, what)
select distinct $1::int, c.day, 'ledger'
from (
  select cluster, node, device, device_index, min(hour) as first_hour
  from changed_samples
  where device not like 'host/%'
  group by cluster, node, device, device_index
) s
join nodes n on n.tenant_id = $1 and n.cluster = s.cluster and n.name = s.node
join chunks c on c.tenant_id = $1 and c.node_id = n.node_id
where not exists (select from devices d where d.tenant_id = $1 and d.cluster = s.cluster and d.node = s.node and d.device = s.device
    and d.device_index = s.device_index and d.first_hour <= s.first_hour)
  and (c.day >= date_trunc('day', s.first_hour, 'UTC') or not exists (select from devices d where d.tenant_id = $1 and d.cluster = s.cluster
    and d.node = s.node and d.device_index = s.device_index and d.first_hour < s.first_hour))
order by 2
