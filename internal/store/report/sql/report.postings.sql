-- Postings with their owner and the names of what they point to.
select p.posting_id, p.charge_id, p.part::bigint as part, p.usage_id, p.hour, p.billing_period, p.cause,
       nullif(p.activity, '') as activity, p.kind, p.adjusts,
       @owner_columns,
       p.method, p.quality, p.policy_version, p.currency,
       p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost, p.state,
       p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh,
       p.rate_id, n.name as node, nullif(n.cluster, '') as cluster, case when p.slot >= 0 then p.slot::bigint end as slot,
       nullif(p.device, '') as device, p.slice_id::bigint as slice_id, nullif(p.mig_profile, '') as mig_profile,
       nullif(w.namespace, '') as namespace, w.name as pod, nullif(p.run_id, '') as run_id, p.attempt_id
from postings p
left join owners o on o.tenant_id = @tenant and o.owner_id = p.owner_id
left join nodes n on n.tenant_id = @tenant and n.node_id = p.node_id
left join workloads w on w.tenant_id = @tenant and w.workload_id = p.workload_id
where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to
  and (@billing_period is null or p.billing_period = @billing_period)
