-- One row per run and combination of what its sums are filtered by; the run's
-- whole life, for runs that overlap the window. What a run has once stands in
-- the first row of each of its currencies, so that groups of runs add it up.
select f.*, k.provider_split_cost, t.gpus, c.checkpoints, m.instance_type, m.gpu_model,
       case when f.status = 'succeeded' then extract(epoch from f.ended_at - f.created_at)::bigint end as time_to_train_seconds,
       case when f.status = 'succeeded' and f.nth = 1 then extract(epoch from f.ended_at - f.created_at)::bigint end as train_seconds_once,
       case when f.status = 'succeeded' and f.created_at is not null then f.run_id end as trained,
       case when f.queue_wait_seconds is not null then f.run_id end as waited,
       case when f.nth = 1 then f.queue_wait_seconds end as queue_wait_once,
       case when f.nth = 1 then f.attempts end as attempts_once,
       case when f.nth = 1 then f.preemptions end as preemptions_once,
       case when f.nth = 1 then coalesce(c.checkpoints, 0) end as checkpoints_once,
       (f.budget is not null)::text as has_budget,
       case when f.nth = 1 then f.budget end as budget_once,
       case when f.nth = 1 then f.max_cost_per_run end as max_cost_once,
       case when f.nth = 1 then g.effective_cost end as gang_wait_once, case when f.nth = 1 and g.run_id is not null then 'true' end as gang_waited,
       case when f.nth = 1 then s.activity_bins end as activity_bins,
       case when f.nth = 1 then b.burn_rate end as burn_rate_once, b.budget_runs_out_at,
       case when b.still_to_come is null then null when f.nth = 1 then coalesce(f.effective_cost, 0) + b.still_to_come else f.effective_cost end as projected_cost
from (
  select h.*, row_number() over (partition by h.run_id, h.currency) as nth
  from (
    select r.run_id, nullif(r.group_id, '') as group_id, nullif(r.cluster, '') as cluster, nullif(r.namespace, '') as namespace,
           r.name, r.kind, nullif(r.root_kind, '') as workload_kind, @owner_columns @own_labels,
           r.status, r.created_at, r.started_at, r.ended_at, r.attempts::bigint as attempts, r.preemptions::bigint as preemptions,
           r.queue_wait_seconds, r.budget, r.max_cost as max_cost_per_run,
           x.cause, a.loss_basis, x.pricing, x.in_window::text as in_window, x.quality, x.state,
           coalesce(x.currency, case when min(x.currency) over run = max(x.currency) over run then min(x.currency) over run end) as currency,
           x.effective_cost, x.effective_abs, x.billed_cost, x.list_cost, x.contracted_cost, x.spot_saving,
           -- Fees ask for no price of their own where lines or rates price all hours beside them.
           case when x.fees and not bool_or(x.gpu_hours > 0 and x.effective_cost is null) over try then 0 else x.on_demand_cost end as on_demand_cost,
           -- Of a run without any cost all time asks for a price.
           (x.effective_cost is not null or x.gpu_hours > 0 and not bool_or(x.effective_cost is not null) over run)::text as priced,
           (a.attempt > 1)::text as again,
           -- Beside what spot saved stands what its interruptions cost.
           case when i.interrupted then x.effective_cost else 0 end as spot_lost,
           round(x.effective_cost * @may_lose_share, 12) as may_be_lost,
           x.spot_known_hours, x.spot_unknown_cost,
           x.gpu_hours, x.active_gpu_hours, x.energy_kwh,
           case when x.effective_cost is not null or bool_or(x.fees) over try then x.gpu_hours end as paid_gpu_hours,
           case when x.effective_cost is not null or bool_or(x.fees) over try then x.active_gpu_hours end as paid_active_gpu_hours
    from runs r
    left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
    left join (
@run_sums
    ) x on x.run_id = r.run_id
    left join attempts a on a.tenant_id = @tenant and a.attempt_id = x.attempt_id
    left join attempts z on z.tenant_id = @tenant and z.run_id = a.run_id and z.task = a.task and z.attempt = a.attempt - 1
    cross join lateral (
      select coalesce(x.cause = 'lost' and a.reason = 'spot_interruption' or x.cause = 'overhead' and z.reason = 'spot_interruption', false) as interrupted
    ) i
    where r.tenant_id = @tenant
      and coalesce(r.started_at, r.created_at, @from) < @to
      and (r.ended_at is null or r.ended_at > @from)
      @these_runs
    window run as (partition by r.run_id), try as (partition by r.run_id, x.attempt_id, x.cause)
  ) h
) f
left join (
  select s.run_id, s.currency, sum(coalesce(s.used, 0) + coalesce(s.unused, 0)) as provider_split_cost
  from run_splits s where s.tenant_id = @tenant
  group by s.run_id, s.currency
) k on k.run_id = f.run_id and k.currency = f.currency
left join (
@run_gpus
) t on t.run_id = f.run_id
left join (
@run_checkpoints
) c on c.run_id = f.run_id
left join (
@run_machines
) m on m.run_id = f.run_id
left join (
  select w.run_id, coalesce(w.currency, '') as currency, sum(w.effective_cost) as effective_cost
  from (
@gang_waits
  ) w
  group by 1, 2
) g on g.run_id = f.run_id and g.currency = coalesce(f.currency, '') -- equal, or the server keeps the join where nobody asks for it
left join (
  select q.run_id, merged_bins(q.activity_bins) as activity_bins
  from (
@run_signals
  ) q
  group by q.run_id
) s on s.run_id = f.run_id
left join (
@run_burn
) b on b.run_id = f.run_id and b.currency = f.currency
