-- Frozen node-hours whose evidence is not kept yet.
select f.node_id, f.hour from frozen_hours f
where f.tenant_id = $1
  and not exists (select from hour_evidence e where e.tenant_id = f.tenant_id and e.node_id = f.node_id and e.hour = f.hour)
order by f.hour, f.node_id
