insert into touched
select w.node_id, w.hold_from, w.hold_to, 'requests'
from unnest($2::text[], $3::text[]) n (cluster, uid)
join workloads w on w.tenant_id = $1 and w.cluster = n.cluster and w.uid = n.uid
