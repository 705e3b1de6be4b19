-- What sharing passes on and gives, as postings.
select s.share_id, null::uuid as charge_id, null::bigint as part, null::uuid as usage_id, s.hour, s.billing_period, s.cause,
       null::text as activity, s.kind, null::uuid as adjusts,
       @owner_columns,
       s.method, null::text as quality, s.policy_version, s.currency,
       s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, s.state,
       null::numeric as gpu_hours, null::numeric as capacity_gpu_hours, null::numeric as active_gpu_hours, null::numeric as energy_kwh,
       null::uuid as rate_id, null::text as node, nullif(s.cluster, '') as cluster, null::bigint as slot,
       null::text as device, null::bigint as slice_id, null::text as mig_profile,
       null::text as namespace, null::text as pod, null::text as run_id, null::uuid as attempt_id
from shares s
left join owners o on o.tenant_id = @tenant and o.owner_id = s.owner_id
where s.tenant_id = @tenant and s.hour >= @from and s.hour < @to
  and (@billing_period is null or s.billing_period = @billing_period)
