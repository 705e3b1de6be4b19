-- One row per run and combination of what its sums are filtered by; the run's
-- whole life, for runs that overlap the window.
select r.run_id, nullif(r.group_id, '') as group_id, nullif(r.cluster, '') as cluster, nullif(r.namespace, '') as namespace,
       r.name, r.kind, nullif(o.team, '') as team, nullif(o.project, '') as project, nullif(o.model, '') as model,
       nullif(o.experiment, '') as experiment,
       r.status, r.started_at, r.ended_at, r.attempts::bigint as attempts, r.preemptions::bigint as preemptions,
       r.queue_wait_seconds, r.budget,
       x.cause, x.loss_basis, x.pricing, x.in_window, x.quality, x.state,
       coalesce(x.currency, case when min(x.currency) over run = max(x.currency) over run then min(x.currency) over run end) as currency,
       x.effective_cost, x.effective_abs, x.billed_cost, x.list_cost, x.contracted_cost, x.spot_saving,
       x.gpu_hours, x.active_gpu_hours, x.energy_kwh
from runs r
left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
left join (
  select p.run_id, p.cause, p.quality, p.state, p.currency, a.loss_basis, n.price_class as pricing,
         (p.hour >= @from and p.hour < @to)::text as in_window,
         sum(p.effective_cost) as effective_cost, sum(abs(p.effective_cost)) as effective_abs,
         sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost,
         case when not bool_or(p.gpu_hours is not null and p.effective_cost is not null
                               and (p.list_cost is null or p.list_cost = 0 and p.effective_cost <> 0))
              then sum(p.list_cost) - sum(p.effective_cost) end as spot_saving,
         sum(p.gpu_hours) as gpu_hours, sum(p.active_gpu_hours) as active_gpu_hours, sum(p.energy_kwh) as energy_kwh
  from (@facts_all) p
  left join attempts a on a.tenant_id = @tenant and a.attempt_id = p.attempt_id
  left join nodes n on n.tenant_id = @tenant and n.node_id = p.node_id
  where p.run_id is not null
  group by 1, 2, 3, 4, 5, 6, 7, 8
) x on x.run_id = r.run_id
where r.tenant_id = @tenant
  and coalesce(r.started_at, r.created_at, @from) < @to
  and (r.ended_at is null or r.ended_at > @from)
window run as (partition by r.run_id)
