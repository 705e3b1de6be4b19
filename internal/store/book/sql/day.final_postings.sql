select posting_id, hour, part_id, charge_id, rate_id, part, usage_id, cause, activity, kind, adjusts,
  owner_id, method, quality, policy_version, currency, state, effective_cost, billed_cost, list_cost, contracted_cost,
  node_id, slot, device, slice_id, mig_profile, workload_id, run_id, attempt_id
from postings
where tenant_id = $1 and hour >= $2 and hour < $3 and part_id = any ($4) and state = 'final'
