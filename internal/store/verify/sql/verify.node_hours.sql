with hours as (
  select node_id, hour, slot, held, weight_den, sum(weight_num) as num
  from usage
  where tenant_id = $1 and hour >= $2 and hour < $3 and cause <> 'host'
  group by node_id, hour, slot, held, weight_den
), common as (
  select h.*, lcm_agg(h.weight_den) over (partition by h.node_id, h.hour) as den from hours h
), slots as (
  select node_id, hour, slot, den, sum(num * div(den, weight_den)) as num,
    coalesce(sum(num * div(den, weight_den)) filter (where held), 0) as held
  from common
  group by node_id, hour, slot, den
)
select s.node_id, s.hour, s.slot, s.num / s.den as device_seconds, s.held / s.den as held_seconds, n.gpus,
  extract(epoch from least(n.gone_at, s.hour + interval '1 hour') - greatest(n.appeared_at, s.hour)) as observed_seconds
from (select l.*, min(l.num) over (partition by l.node_id, l.hour) as least_num from slots l) s
left join nodes n on n.tenant_id = $1 and n.node_id = s.node_id
where (n.node_id is null
    or s.num <> s.least_num                         -- every slot of a node-hour has the same seconds
    or s.num % s.den <> 0
    or s.slot < 0 or s.slot >= n.gpus
    or s.held > 0 and s.held > s.den * greatest(0, coalesce(extract(epoch from least(n.gone_at, s.hour + interval '1 hour') - greatest(n.appeared_at, s.hour)), 0)))
  and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = s.node_id and x.day = date_trunc('day', s.hour, 'UTC'))
limit 5
