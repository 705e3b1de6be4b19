with hours as (
  select node_id, hour, weight_den, sum(weight_num) as num, sum(capacity_gpu_hours) as capacity
  from usage
  where tenant_id = $1 and hour >= $2 and hour < $3 and cause <> 'host' -- of the machine around the GPUs: no capacity
  group by node_id, hour, weight_den
), common as (
  select h.*, lcm_agg(h.weight_den) over (partition by h.node_id, h.hour) as den from hours h
), total as (
  select node_id, hour, sum(num * div(den, weight_den)) / max(den) as device_seconds, sum(capacity) as capacity_gpu_hours
  from common
  group by node_id, hour
)
select t.node_id, t.hour, t.device_seconds, t.capacity_gpu_hours, round(t.device_seconds / 3600, 12) as expected
from total t
where t.capacity_gpu_hours <> round(t.device_seconds / 3600, 12)
  and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = t.node_id and x.day = date_trunc('day', t.hour, 'UTC'))
limit 5
