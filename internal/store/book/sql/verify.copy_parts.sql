copy (
  select delivery_id, billing_period, part_id, charge_id, rate_id, number, kind, node_id, hour, currency, effective_cost, billed_cost, list_cost, contracted_cost,
  usage_seconds, method, quality, owner_id, billing_account
  from parts where tenant_id = :tenant and hour >= :from and hour < :to and kind = 'provisional'
) to stdout (format binary)
