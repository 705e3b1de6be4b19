copy finding_costs (tenant_id, finding_id, currency, state, effective_cost) from stdin (format binary)
