declare versions no scroll cursor for
select c.n, n.vectors
from inference_conflicts c join next_inference n on n.cluster = c.cluster and n.namespace = c.namespace and n.pod = c.pod and n.server = c.server and n.model = c.model and n.engine = c.engine and n.hour = c.hour
union all
select c.n, s.vectors
from inference_conflicts c join next_inference n on n.cluster = c.cluster and n.namespace = c.namespace and n.pod = c.pod and n.server = c.server and n.model = c.model and n.engine = c.engine and n.hour = c.hour join inference_hours s on s.tenant_id = n.tenant_id and s.cluster = n.cluster and s.namespace = n.namespace and s.pod = n.pod and s.server = n.server and s.model = n.model and s.engine = n.engine and s.hour = n.hour
order by 1
