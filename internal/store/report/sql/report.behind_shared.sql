-- Pairs of sharing with their ids, in the form of facts.
select s.share_id as id, s.hour, null::uuid as part_id, null::uuid as charge_id, null::uuid as rate_id, null::uuid as usage_id, s.billing_period, s.cause, null::text as quality, s.state, s.currency, s.owner_id,
       null::uuid as node_id, null::text as device, null::int as slice_id, null::text as mig_profile, null::uuid as workload_id, null::text as run_id, null::uuid as attempt_id,
       s.kind, nullif(s.cluster, '') as pair_cluster, nullif(s.billing_account, '') as pair_account,
       s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost
from shares s
where s.tenant_id = @tenant and s.hour >= @from and s.hour < @to
