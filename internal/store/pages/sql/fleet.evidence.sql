-- Whom exporter rows named since hour $3 on machines with devices seen since $2.
select e.cluster, e.node, e.device, e.slice_id, e.namespace, e.pod, e.hour, e.minutes
from (select distinct cluster, node from devices where tenant_id = $1 and last_at >= $2) n
join hold_evidence e on e.tenant_id = $1 and e.node = n.node and e.cluster = n.cluster and e.hour >= $3
