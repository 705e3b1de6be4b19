-- Counters of a day, process by process, each after its newest hour of the day
-- before.
select c.cluster, c.namespace, c.pod, c.server, c.model, c.engine, c.hour, c.vectors
from (
  select h.*, lead(h.hour) over (partition by h.cluster, h.namespace, h.pod, h.server, h.model, h.engine order by h.hour) as next
  from counter_hours h
  where h.tenant_id = $1 and h.hour >= $2::timestamptz - interval '1 day' and h.hour < $3 and h.server <> 'cadvisor'
) c
where c.hour >= $2 or c.next is null or c.next >= $2
order by c.cluster, c.namespace, c.pod, c.server, c.model, c.engine, c.hour
