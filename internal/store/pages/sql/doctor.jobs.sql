-- When jobs held their machines, of systems whose times name no zone, by cluster.
select w.cluster, w.node_id, extract(epoch from w.hold_from)::bigint, extract(epoch from w.hold_to)::bigint
from workloads w join workload_facts f on f.tenant_id = w.tenant_id and f.cluster = w.cluster and f.uid = w.uid
where w.tenant_id = $1 and f.system = any($2) and w.node_id is not null and w.hold_to > w.hold_from
  and (f.asked_units is distinct from 0 or f.asked_replicas > 0)
  and w.hold_to > (select max(hour) from usage where tenant_id = $1) - interval '31 days'
order by 1, 2, 3
