copy (
  select billing_account, billing_period, null::uuid, hour, share_id, pool_id, kind, cluster, cause, owner_id, from_owner, currency, commitment,
  effective_cost, billed_cost, list_cost, contracted_cost, policy_version, method, rule, weight, weight_of, team_weight, team_weight_of
  from shares where tenant_id = :tenant and hour >= :from and hour < :to and state = 'final' and (:account is null or billing_account = :account and billing_period = :period)
) to stdout (format binary)
