-- Postings with their ids, in the form of facts.
select p.posting_id as id, p.hour, p.part_id, p.charge_id, p.rate_id, p.usage_id, p.billing_period, p.cause, p.quality, p.state, p.currency, p.owner_id,
       p.node_id, p.device, p.slice_id, p.mig_profile, p.workload_id, p.run_id, p.attempt_id, p.kind, null::text as pair_cluster, null::text as pair_account,
       p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.gpu_hours, p.capacity_gpu_hours
from postings p
where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to
