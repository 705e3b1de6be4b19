copy (
  select billing_account, billing_period, node_id, hour, part_id, charge_id, number, kind, currency, effective_cost, billed_cost, list_cost, contracted_cost,
  usage_seconds, method, quality, owner_id, posting_kind, charge_period, reverses, replaces
  from parts where tenant_id = :tenant and hour >= :from and hour < :to and final and (:account is null or billing_account = :account and billing_period = :period)
) to stdout (format binary)
