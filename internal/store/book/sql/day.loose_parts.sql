select billing_period, part_id, charge_id, rate_id, number, kind, node_id, hour, currency,
  effective_cost, billed_cost, list_cost, contracted_cost, usage_seconds, method, quality, owner_id, posting_kind,
  final, reverses, replaces
from parts
where tenant_id = $1 and node_id is null and hour >= $2 and hour < $3
order by hour, part_id
