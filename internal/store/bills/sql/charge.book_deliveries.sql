select d.delivery_id, d.partition_key, d.fleet_digest, d.scope
from deliveries d
where d.tenant_id = $1 and d.state = 'current'
  and exists (select from control_totals t where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id and t.role = 'book')
order by d.partition_key, d.delivery_id
