with held as (
  select device, hour, node_id, sum(weight_num / weight_den) as seconds
  from usage
  where tenant_id = $1 and hour >= $2 and hour < $3 and held and device is not null and cause <> 'host'
  group by device, hour, node_id
)
select h.device, h.hour, sum(h.seconds) as held_seconds, count(*) as nodes
from held h
where not exists (select from dirty x where x.tenant_id = $1 and x.node_id = h.node_id and x.day = date_trunc('day', h.hour, 'UTC'))
group by h.device, h.hour
having count(*) > 1 and sum(h.seconds) > 3600.000001
limit 5
