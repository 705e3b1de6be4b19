select d.delivery_id, d.source, d.export, d.partition_key
from deliveries d
where d.tenant_id = $1 and d.state = 'current' and d.fleet_digest = '' and ($2::text is null or d.partition_key = $2)
  and exists (select from control_totals t where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id and t.role = 'book')
order by d.partition_key
