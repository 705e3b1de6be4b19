-- Frozen node-hours with what was kept of them.
select f.node_id, f.hour, e.document, e.digest
from frozen_hours f
left join hour_evidence e on e.tenant_id = f.tenant_id and e.node_id = f.node_id and e.hour = f.hour
where f.tenant_id = $1 and f.hour >= $2 and f.hour < $3
order by f.hour, f.node_id
