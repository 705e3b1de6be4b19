copy next_parts (tenant_id, delivery_id, billing_period, part_id, charge_id, rate_id, number, kind, node_id, hour, currency, effective_cost, billed_cost, list_cost, contracted_cost,
  usage_seconds, method, quality, owner_id, billing_account, posting_kind) from stdin (format binary)
