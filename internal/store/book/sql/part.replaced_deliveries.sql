select d.delivery_id, exists (select from parts p where p.tenant_id = d.tenant_id and p.delivery_id = d.delivery_id)
from deliveries d
where d.tenant_id = $1
  and (d.delivery_id = $2 or not (d.state = 'current' and exists (
    select from control_totals t where t.tenant_id = $1 and t.delivery_id = d.delivery_id and t.role = 'book')))
