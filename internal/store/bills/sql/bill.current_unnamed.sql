-- A delivery that nothing named, $7, is of whichever export has its place, and one
-- with a name takes the place of one without, where both bill an account.
select delivery_id, digest, delivered_at, number, export, aggregated
from deliveries
where tenant_id = $1 and source = $2 and scope = $4 and dataset = $5 and partition_key = $6 and state = 'current' and $7 <> ''
  and ($3 = $7 or export = $7)
  and exists (select from control_totals t where t.tenant_id = $1 and t.delivery_id = deliveries.delivery_id and t.account = any($8))
order by export
for update
