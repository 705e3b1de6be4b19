with hours as (
  select node_id, hour, slot, held, weight_den, sum(weight_num) as num
  from usage
  where tenant_id = $1 and hour >= $2 and hour < $3 and cause <> 'host'
  group by node_id, hour, slot, held, weight_den
), common as (
  select node_id, hour, lcm_agg(weight_den) as den from hours group by node_id, hour
), slots as (
  select h.node_id, h.hour, h.slot, c.den, sum(h.num * div(c.den, h.weight_den)) as num,
    coalesce(sum(h.num * div(c.den, h.weight_den)) filter (where h.held), 0) as held
  from hours h join common c using (node_id, hour)
  group by h.node_id, h.hour, h.slot, c.den
)
select s.node_id, s.hour, s.slot, s.num / s.den as device_seconds, s.held / s.den as held_seconds, n.gpus,
  extract(epoch from least(n.gone_at, s.hour + interval '1 hour') - greatest(n.appeared_at, s.hour)) as observed_seconds
from slots s
left join nodes n on n.tenant_id = $1 and n.node_id = s.node_id
join (select node_id, hour, min(num) as num from slots group by node_id, hour) least_slot on least_slot.node_id = s.node_id and least_slot.hour = s.hour
where (n.node_id is null
    or s.num <> least_slot.num                      -- every slot of a node-hour has the same seconds
    or s.num % s.den <> 0
    or s.slot < 0 or s.slot >= n.gpus
    or s.held > 0 and s.held > s.den * greatest(0, coalesce(extract(epoch from least(n.gone_at, s.hour + interval '1 hour') - greatest(n.appeared_at, s.hour)), 0)))
  and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = s.node_id and x.day = date_trunc('day', s.hour, 'UTC'))
limit 5
