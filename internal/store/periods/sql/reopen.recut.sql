update deliveries d set fleet_digest = ''
where d.tenant_id = $1 and d.state = 'current'
  and exists (select from charge_scopes c where c.tenant_id = d.tenant_id and c.delivery = d.number and c.billing_account = $2 and c.billing_period <= $3)
