with hours as (
  select node_id, hour, weight_den, sum(weight_num) as num, sum(capacity_gpu_hours) as capacity
  from usage
  where tenant_id = $1 and hour >= $2 and hour < $3 and cause <> 'host' -- of the machine around the GPUs: no capacity
  group by node_id, hour, weight_den
), total as (
  select h.node_id, h.hour, sum(h.num * div(c.den, h.weight_den)) / max(c.den) as device_seconds, sum(h.capacity) as capacity_gpu_hours
  from hours h join (select node_id, hour, lcm_agg(weight_den) as den from hours group by node_id, hour) c using (node_id, hour)
  group by h.node_id, h.hour
)
select t.node_id, t.hour, t.device_seconds, t.capacity_gpu_hours, round(t.device_seconds / 3600, 12) as expected
from total t
where t.capacity_gpu_hours <> round(t.device_seconds / 3600, 12)
  and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = t.node_id and x.day = date_trunc('day', t.hour, 'UTC'))
limit 5
