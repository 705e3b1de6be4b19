-- fleet.evidence for who sees a part of the books: names of what is in his scope, "" for others.
select e.cluster, e.node, e.device, e.slice_id, coalesce(w.namespace, ''), coalesce(w.name, ''), e.hour, e.minutes
from (select distinct cluster, node from devices where tenant_id = $1 and last_at >= $2) n
join hold_words e on e.tenant_id = $1 and e.node = n.node and e.cluster = n.cluster and e.hour >= $3
left join workloads w on w.tenant_id = $1 and w.workload_id = e.workload_id
