-- What containers counted on a day, pod by pod, each after its newest hour of the
-- day before.
select c.cluster, c.namespace, c.pod, c.hour, c.vectors
from counter_hours c
where c.tenant_id = $1 and c.hour >= $2::timestamptz - interval '1 day' and c.hour < $3 and c.server = 'cadvisor'
  and (c.hour >= $2 or not exists (
    select from counter_hours l
    where l.tenant_id = $1 and l.cluster = c.cluster and l.namespace = c.namespace and l.pod = c.pod and l.server = c.server and l.model = c.model
      and l.engine = c.engine and l.hour > c.hour and l.hour < $2))
order by c.cluster, c.namespace, c.pod, c.hour
