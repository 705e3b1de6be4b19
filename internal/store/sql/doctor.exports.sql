-- Of each export its newest partition: columns, and compute charges that no
-- resource id leads to a machine.
with newest as (
  select distinct on (source, export, scope, dataset) delivery_id, source, export, scope, dataset, partition_key, columns, rows
  from deliveries where tenant_id = $1 and state = 'current'
  order by source, export, scope, dataset, partition_key desc
)
select n.source, n.export, n.scope, n.dataset, n.partition_key, n.columns, n.rows,
  count(distinct p.charge_id) filter (where p.kind = 'compute'),
  count(distinct p.charge_id) filter (where p.kind = 'compute' and p.method = 'pooled'),
  count(distinct p.charge_id) filter (where p.kind = 'compute' and p.node_id is null)
from newest n left join parts p on p.tenant_id = $1 and p.delivery_id = n.delivery_id
group by 1, 2, 3, 4, 5, 6, 7
order by 1, 2, 3, 4
