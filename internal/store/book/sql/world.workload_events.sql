select cluster, kind, namespace, name, uid, what, at, reason
from workload_events where tenant_id = $1
order by cluster, kind, namespace, name, uid, what, at
