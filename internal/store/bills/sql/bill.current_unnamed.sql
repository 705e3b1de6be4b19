-- A delivery that nothing named, $7, is of whichever export has its place, and one
-- with a name takes the place of one without, where both bill an account.
select d.delivery_id, d.digest,
  (select max(o.delivered_at) from deliveries o where o.tenant_id = d.tenant_id and o.lineage = d.lineage and o.state <> 'older') as newest,
  d.number, d.export, d.aggregated, d.rows, d.lineage
from deliveries d
where d.tenant_id = $1 and d.source = $2 and d.scope = $4 and d.dataset = $5 and d.partition_key = $6 and d.state = 'current' and $7 <> ''
  and ($3 = $7 or d.export = $7)
  and exists (select from control_totals t where t.tenant_id = $1 and t.delivery_id = d.delivery_id and t.account = any($8))
order by d.export
for update of d
