-- Evidence of node-hours that are frozen no longer.
delete from hour_evidence e
where e.tenant_id = $1 and not exists (select from frozen_hours f where f.tenant_id = e.tenant_id and f.node_id = e.node_id and f.hour = e.hour)
