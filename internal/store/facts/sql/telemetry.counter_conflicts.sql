create temp table counter_conflicts on commit drop as
select row_number() over () as n, k.*
from (
  select tenant_id, cluster, namespace, pod, server, model, engine, hour from next_counters group by tenant_id, cluster, namespace, pod, server, model, engine, hour having count(*) > 1
  union
  select n.tenant_id, n.cluster, n.namespace, n.pod, n.server, n.model, n.engine, n.hour
  from next_counters n join counter_hours s on s.tenant_id = n.tenant_id and s.cluster = n.cluster and s.namespace = n.namespace and s.pod = n.pod and s.server = n.server and s.model = n.model and s.engine = n.engine and s.hour = n.hour
  where s.vectors <> n.vectors
) k
