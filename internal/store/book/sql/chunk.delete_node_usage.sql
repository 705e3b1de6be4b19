delete from usage u
where tenant_id = $1 and node_id = $2 and hour = any ($3)
  and not exists (select from frozen_hours f where f.tenant_id = u.tenant_id and f.node_id = u.node_id and f.hour = u.hour)
