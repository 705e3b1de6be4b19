select p.part_id, p.hour, p.delivery_id, p.charge_id, d.export, d.state as delivery_state, p.billing_period
from (
  select distinct on (delivery_id, coalesce(charge_period, billing_period)) delivery_id, coalesce(charge_period, billing_period) as billing_period, part_id, hour, charge_id
  from parts
  where tenant_id = $1 and delivery_id is not null and not final and reverses is null and ($2::text is null or coalesce(charge_period, billing_period) = $2)
  order by delivery_id, coalesce(charge_period, billing_period), hour, part_id
) p
left join deliveries d on d.tenant_id = $1 and d.delivery_id = p.delivery_id
where (d.state is distinct from 'current' or not exists (
    select from control_totals t where t.tenant_id = $1 and t.delivery_id = d.delivery_id and t.billing_period = p.billing_period and t.role = 'book'))
  and not exists ( -- what replaced it is not cut yet
    select from deliveries n where n.tenant_id = $1 and n.state = 'current' and n.fleet_digest = '')
limit 5
