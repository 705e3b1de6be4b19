-- The delivery, those that it replaced, and those of exports that are no book.
select x.delivery_id
from deliveries x
join deliveries d on d.tenant_id = x.tenant_id and d.delivery_id = $2
left join deliveries c on c.tenant_id = x.tenant_id and c.source = x.source and c.export = x.export and c.scope = x.scope and c.dataset = x.dataset
  and c.partition_key = x.partition_key and c.state = 'current'
where x.tenant_id = $1
  and ((x.source, x.export, x.scope, x.dataset, x.partition_key) = (d.source, d.export, d.scope, d.dataset, d.partition_key)
    or not exists (select from control_totals t where t.tenant_id = $1 and t.delivery_id = c.delivery_id and t.role = 'book'))
