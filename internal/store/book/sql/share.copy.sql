copy shares (tenant_id, share_id, hour, pool_id, kind, cluster, cause, owner_id, from_owner, billing_account, billing_period, currency, state, commitment,
  effective_cost, billed_cost, list_cost, contracted_cost, policy_version, method, rule, weight, weight_of, team_weight, team_weight_of,
  pool_effective_cost, pool_billed_cost, pool_list_cost, pool_contracted_cost) from stdin (format binary)
