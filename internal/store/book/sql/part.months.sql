select s.billing_period
from (
  select scope, count(*) as lines from charge_rows
  where tenant_id = $1 and delivery = (select number from deliveries where tenant_id = $1 and delivery_id = $2)
  group by scope
) r
join charge_scopes s on s.tenant_id = $1 and s.delivery = (select number from deliveries where tenant_id = $1 and delivery_id = $2) and s.scope = r.scope
group by s.billing_period
order by sum(r.lines) desc, s.billing_period
