-- Whether any line of the delivery, or of those that it replaces, is of a closed period.
select exists (
  select from period_states s
  join charge_scopes c on c.tenant_id = s.tenant_id and c.billing_period = s.name and c.billing_account = s.billing_account
  where s.tenant_id = $1 and s.calendar = 'billing' and s.state = 'closed'
    and c.delivery in (select d.number from deliveries d where d.tenant_id = $1 and (d.delivery_id = $2 or d.delivery_id = any ($3))))
