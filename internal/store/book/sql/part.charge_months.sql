select r.charge_id, s.billing_period
from charge_scopes s
join charge_rows r on r.tenant_id = s.tenant_id and r.delivery = (select number from deliveries where tenant_id = $1 and delivery_id = $2) and r.scope = s.scope
where s.tenant_id = $1 and s.delivery = (select number from deliveries where tenant_id = $1 and delivery_id = $2) and s.billing_period <> $3
