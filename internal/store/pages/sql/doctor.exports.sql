-- Of each export its newest partition: columns, instance hours without a
-- resource id, tags of the customer's own, and compute charges that nothing
-- leads to a machine.
with newest as (
  select distinct on (source, export, scope, dataset) delivery_id, number, source, export, scope, dataset, partition_key, columns, rows
  from deliveries where tenant_id = $1 and state = 'current'
  order by source, export, scope, dataset, partition_key desc
)
select n.source, n.export, n.scope, n.dataset, n.partition_key, n.columns, n.rows,
  exists (select from charge_tags t, jsonb_object_keys(t.tags) k
    where t.tenant_id = $1 and t.delivery = n.number and k not like 'aws%' and k not like 'goog%' and k not like 'k8s-%'),
  r.instances, r.unnamed, p.compute, p.pooled, p.lost
from newest n,
lateral (
  select count(*) as instances, count(*) filter (where x.resource_id is null) as unnamed
  from charge_rows c
  join charge_items i on i.tenant_id = $1 and i.delivery = n.number and i.item = c.item and i.instance_hours
  left join charge_resources x on x.tenant_id = $1 and x.delivery = n.number and x.resource = c.resource
  where c.tenant_id = $1 and c.delivery = n.number
) r,
lateral (
  select count(distinct charge_id) as compute, count(distinct charge_id) filter (where method = 'pooled') as pooled,
    count(distinct charge_id) filter (where node_id is null) as lost
  from parts where tenant_id = $1 and delivery_id = n.delivery_id and kind = 'compute'
) p
order by 1, 2, 3, 4
