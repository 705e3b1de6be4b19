-- What was kept of node-hours when their period was closed.
select e.node_id, e.hour, e.document
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join hour_evidence e on e.tenant_id = $1 and e.node_id = k.node_id and e.hour = k.hour
