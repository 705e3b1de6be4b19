insert into touched
select w.node_id, w.hold_from, w.hold_to, 'requests'
from next_workloads n
join workload_facts p on p.tenant_id = n.tenant_id and p.cluster = n.cluster and p.uid = n.uid and p.requests <> n.requests
join workloads w on w.tenant_id = n.tenant_id and w.cluster = n.cluster and w.uid = n.uid
where n.tenant_id = $1
