select d.delivery_id, d.digest,
  (select max(o.delivered_at) from deliveries o where o.tenant_id = d.tenant_id and o.lineage = d.lineage and o.state <> 'older') as newest,
  d.number, d.export, d.aggregated, d.rows, d.lineage
from deliveries d
where d.tenant_id = $1 and d.source = $2 and d.export = $3 and d.scope = $4 and d.dataset = $5 and d.partition_key = $6 and d.state = 'current'
for update of d
