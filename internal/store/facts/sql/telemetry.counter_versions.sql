declare versions no scroll cursor for
select c.n, n.vectors
from counter_conflicts c join next_counters n on n.cluster = c.cluster and n.namespace = c.namespace and n.pod = c.pod and n.server = c.server and n.model = c.model and n.engine = c.engine and n.hour = c.hour
union all
select c.n, s.vectors
from counter_conflicts c join counter_hours s on s.tenant_id = c.tenant_id and s.cluster = c.cluster and s.namespace = c.namespace and s.pod = c.pod and s.server = c.server and s.model = c.model and s.engine = c.engine and s.hour = c.hour
order by 1
