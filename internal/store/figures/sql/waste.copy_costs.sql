copy finding_costs (tenant_id, finding_id, currency, state, effective_cost, leads) from stdin (format binary)
