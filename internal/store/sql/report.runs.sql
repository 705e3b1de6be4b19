-- One row per run and combination of what its sums are filtered by; the run's
-- whole life, for runs that overlap the window. What the provider's own split
-- says stands beside.
select f.*, k.provider_split_cost
from (
  select r.run_id, nullif(r.group_id, '') as group_id, nullif(r.cluster, '') as cluster, nullif(r.namespace, '') as namespace,
         r.name, r.kind, nullif(o.team, '') as team, nullif(o.project, '') as project, nullif(o.model, '') as model,
         nullif(o.experiment, '') as experiment,
         r.status, r.started_at, r.ended_at, r.attempts::bigint as attempts, r.preemptions::bigint as preemptions,
         r.queue_wait_seconds, r.budget,
         x.cause, a.loss_basis, x.pricing, x.in_window::text as in_window, x.quality, x.state,
         coalesce(x.currency, case when min(x.currency) over run = max(x.currency) over run then min(x.currency) over run end) as currency,
         x.effective_cost, x.effective_abs, x.billed_cost, x.list_cost, x.contracted_cost, x.spot_saving,
         x.gpu_hours, x.active_gpu_hours, x.energy_kwh
  from runs r
  left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
  left join (
@run_sums
  ) x on x.run_id = r.run_id
  left join attempts a on a.tenant_id = @tenant and a.attempt_id = x.attempt_id
  where r.tenant_id = @tenant
    and coalesce(r.started_at, r.created_at, @from) < @to
    and (r.ended_at is null or r.ended_at > @from)
  window run as (partition by r.run_id)
) f
left join (
  select s.run_id, s.currency, sum(coalesce(s.used, 0) + coalesce(s.unused, 0)) as provider_split_cost
  from run_splits s where s.tenant_id = @tenant
  group by s.run_id, s.currency
) k on k.run_id = f.run_id and k.currency = f.currency
