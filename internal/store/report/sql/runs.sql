-- Runs, attempts, groups and experiments over their whole lives.

-- name: report.attempt_sums
-- Sums of facts over all time, for report.attempts.
select p.run_id, p.attempt_id, p.cause, p.quality, p.state, p.currency, p.pricing as price_class,
       sum(p.effective_cost) as effective_cost, sum(p.effective_abs) as effective_abs,
       sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost,
       sum(p.spot_saving) as spot_saving, sum(p.spot_known_hours) as spot_known_hours,
       sum(p.spot_unknown_cost) as spot_unknown_cost,
       sum(p.gpu_hours) as gpu_hours
from (
@run_rows
) p
where p.attempt_id is not null
group by 1, 2, 3, 4, 5, 6, 7

-- name: report.attempts
-- One row per attempt and combination of the keys that its sums are filtered by. An attempt's attributes appear once
-- per currency, in the first row of each.
select f.*, case when f.nth = 1 then f.lost_seconds end as lost_seconds_once,
       case when f.nth = 1 then s.activity_bins end as activity_bins,
       case when f.nth = 1 then g.effective_cost end as gang_wait_once,
         case when f.nth = 1 and g.run_id is not null then 'true' end as gang_waited
from (
  select h.*, row_number() over (partition by h.run_id, h.attempt_id, h.currency) as nth
  from (
    select a.attempt_id, a.run_id, a.attempt::bigint as attempt, nullif(a.task, '') as task, a.started_at,
           case when not a.running then a.ended_at end as ended_at,
           a.outcome, nullif(a.reason, '') as reason, nullif(a.pricing, '') as pricing, a.nodes::bigint as nodes,
           a.gpus::bigint as gpus,
           greatest(case when a.loss_from is null then 0 else extract(epoch from a.ended_at - a.loss_from)::bigint end,
             coalesce(m.seconds, 0)) as lost_seconds,
           nullif(a.loss_basis, '') as loss_basis, a.last_checkpoint_at, a.gang_complete_at,
           (a.attempt > 1)::text as again,
           r.kind as run_kind, nullif(r.cluster, '') as cluster, nullif(r.namespace, '') as namespace,
           nullif(r.group_id, '') as "group",
           nullif(r.root_kind, '') as workload_kind, @owner_columns @own_labels,
           x.cause, x.quality, x.state,
           coalesce(x.currency,
             case when min(x.currency) over try = max(x.currency) over try
                 then min(x.currency) over try end) as currency,
           x.effective_cost, x.effective_abs, x.billed_cost, x.list_cost, x.contracted_cost, x.gpu_hours,
           round(x.effective_cost * @may_lose_share, 12) as may_be_lost,
           x.price_class, x.spot_saving, x.spot_known_hours, x.spot_unknown_cost,
           -- Spot savings are next to the cost of interruptions.
           case when x.cause = 'lost' and a.reason = 'spot_interruption' or x.cause = 'overhead'
             and z.reason = 'spot_interruption' then x.effective_cost else 0 end as spot_lost
    from attempts a
    left join (
@attempt_sums
    ) x on x.run_id = a.run_id and x.attempt_id = a.attempt_id
    left join attempts z on z.tenant_id = @tenant and z.run_id = a.run_id and z.task = a.task
      and z.attempt = a.attempt - 1
    left join ( -- the longest loss of a member that was lost while the others went on
      select s.attempt_id, max(extract(epoch from s.to_at - s.loss_from))::bigint as seconds
      from segments s where s.tenant_id = @tenant and s.loss_from is not null group by s.attempt_id
    ) m on m.attempt_id = a.attempt_id
    left join runs r on r.tenant_id = @tenant and r.run_id = a.run_id
    left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
    where a.tenant_id = @tenant and a.started_at < @to and (a.running or a.ended_at > @from)
      @these_runs[a.run_id]
    window try as (partition by a.run_id, a.attempt_id)
  ) h
) f
left join (
  select q.attempt_id, merged_bins(q.activity_bins) as activity_bins
  from (
@run_signal_rows
  ) q
  where q.attempt_id is not null
  group by q.attempt_id
) s on s.attempt_id = f.attempt_id
left join (
@gang_waits
) g on g.run_id = f.run_id and g.attempt_id = f.attempt_id and g.currency is not distinct from f.currency

-- name: report.checkpoint_interval
-- How often a job should write a checkpoint that takes b.checkpoint_seconds, on machines that are interrupted every
-- b.between_seconds on average (docs/figures.md, 20.4). Daly's √(2CM) · (1 + ⅓ √(C/2M) + ⅑ (C/2M)) − C equals √(2CM)
-- · (1 + C/18M) − ⅔ C, so one root is enough: it is rounded down to the millisecond.
select trunc(r.root / 1000)::bigint as young,
       -- beyond the range of Daly's solution: a checkpoint takes twice the time between interruptions, or more
       case when b.checkpoint_seconds >= 2 * b.between_seconds then b.between_seconds
            else div(
              3 * r.root * (18 * b.between_seconds + b.checkpoint_seconds)
                - 2000 * b.checkpoint_seconds * 18 * b.between_seconds,
              3000 * 18 * b.between_seconds)
       end::bigint as daly
from (select trunc(sqrt((2000000 * b.checkpoint_seconds * b.between_seconds)::numeric(60, 20))) as root) r
where b.between_seconds > 0

-- name: report.checkpoints
-- Checkpoints that were reported or posted.
select c.at, nullif(c.cluster, '') as cluster, nullif(c.namespace, '') as namespace, nullif(c.pod, '') as workload,
       nullif(c.run, '') as run_id,
       nullif(c.step, -1) as step, nullif(c.took, 0) * 0.001 as duration_seconds
from ( -- a checkpoint that several statements name counts once
  select c.tenant_id, c.at, c.cluster, c.namespace, c.pod, c.run, max(c.step) as step, max(c.took) as took
  from checkpoint_facts c
  group by c.tenant_id, c.at, c.cluster, c.namespace, c.pod, c.run
) c
where c.tenant_id = @tenant and c.at >= @from and c.at < @to

-- name: report.experiment_runs
-- The experiment of each run that overlaps the window; a run has one at most.
select i.run_id, i.experiment
from (
  select r.run_id, coalesce(least(a.experiment, b.experiment), nullif(o.experiment, '')) as experiment
  from runs r
  left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
  left join (
    select q.run, min(q.experiment) as experiment from experiment_results q where q.tenant_id = @tenant and q.run <> ''
    group by q.run
  ) a on a.run = r.run_id
  left join (
    select q.run, min(q.experiment) as experiment from experiment_results q where q.tenant_id = @tenant and q.run <> ''
    group by q.run
  ) b on b.run = r.name
  where r.tenant_id = @tenant
    and coalesce(r.started_at, r.created_at, @from) < @to
    and (r.ended_at is null or r.ended_at > @from)
) i
where i.experiment is not null

-- name: report.experiments
-- One row per experiment, metric, dataset, run and currency, with the runs' whole lives, for runs that overlap the
-- window. A run belongs to the experiment whose result names it (the first by name), else to its owner's
-- (docs/figures.md 15.8). Cost is on the rows of every metric and dataset, and once on those of the first.
select f.*,
       case when f.nth = 1 then f.effective_cost end as effective_cost_once,
         case when f.nth = 1 then f.billed_cost end as billed_cost_once,
       case when f.nth = 1 then f.list_cost end as list_cost_once,
         case when f.nth = 1 then f.contracted_cost end as contracted_cost_once,
       case when f.nth = 1 then f.gpu_hours end as gpu_hours_once
from (
  select e.experiment, m.metric, m.value, m.baseline, m.threshold,
    case when m.metric is not null then case when m.lower_is_better then 'lower' else 'higher' end end as direction,
         case when m.lower_is_better then m.value <= coalesce(m.threshold, m.baseline)
             else m.value >= coalesce(m.threshold, m.baseline) end as successful,
         nullif(m.run, '') as result_run, m.at, nullif(m.model_version, '') as result_model_version,
         nullif(m.dataset, '') as result_dataset, m.dataset_size, nullif(m.dataset_unit, '') as dataset_unit,
         u.run_id, u.status, u.kind, u.cluster, u.namespace, u."group", u.gpus,
         u.business_unit, u.team, u.project, u.model, u.model_version, u.stage, u.environment, u.cost_center, u.dataset,
         u."user", u.priority, u.queue,
         u.currency, u.state, u.effective_cost, u.billed_cost, u.list_cost, u.contracted_cost, u.gpu_hours,
         u.active_gpu_hours,
         dense_rank() over (partition by e.experiment order by m.metric, m.dataset) as nth
  from (
    select r.experiment from (@experiment_runs) r
    union
    select q.experiment from experiment_results q
    where q.tenant_id = @tenant and coalesce(q.at, @from) < @to and (q.at is null or q.at >= @from)
  ) e
  left join (
    select distinct on (q.experiment, q.metric, q.dataset) q.*
    from experiment_results q
    where q.tenant_id = @tenant
    order by q.experiment, q.metric, q.dataset, q.at desc nulls last, q.value desc, q.run, q.model_version desc
  ) m on m.experiment = e.experiment
  left join (
    select n.experiment as belongs_to, n.run_id, r.status, r.kind, nullif(r.cluster, '') as cluster,
           nullif(r.namespace, '') as namespace, nullif(r.group_id, '') as "group",
           g.gpus, @owner_columns, s.currency, s.state, s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost,
           s.gpu_hours, s.active_gpu_hours
    from (@experiment_runs) n
    join runs r on r.tenant_id = @tenant and r.run_id = n.run_id
    left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
    left join (
@run_gpus
    ) g on g.run_id = n.run_id
    left join (
      select x.run_id, x.currency, @least_settled(x) as state, sum(x.effective_cost) as effective_cost,
             sum(x.billed_cost) as billed_cost,
             sum(x.list_cost) as list_cost, sum(x.contracted_cost) as contracted_cost, sum(x.gpu_hours) as gpu_hours,
             sum(x.active_gpu_hours) as active_gpu_hours
      from (
        select y.run_id, y.state, y.effective_cost, y.billed_cost, y.list_cost, y.contracted_cost, y.gpu_hours,
               y.active_gpu_hours,
               coalesce(y.currency,
                 case when min(y.currency) over run = max(y.currency) over run
                     then min(y.currency) over run end) as currency
        from (
@run_rows
        ) y
        window run as (partition by y.run_id)
      ) x
      group by x.run_id, x.currency
    ) s on s.run_id = n.run_id
  ) u on u.belongs_to = e.experiment
) f

-- name: report.group_overlaps
-- Whether the time from the first start to the last end of runs r overlaps the window.
min(coalesce(r.started_at, r.created_at, @asked_from)) < @asked_to
  and (bool_or(r.ended_at is null) or max(r.ended_at) > @asked_from)

-- name: report.groups
-- One row per group of runs and combination of the keys that its sums are filtered by; the group's whole life, for
-- groups that overlap the window.
select g.*,
       x.cause, x.loss_basis, x.in_window, x.quality, x.state,
       coalesce(x.currency,
         case when min(x.currency) over all_of_it = max(x.currency) over all_of_it
             then min(x.currency) over all_of_it end) as currency,
       x.effective_cost, x.may_be_lost, x.effective_abs, x.billed_cost, x.list_cost, x.contracted_cost,
       x.gpu_hours, x.active_gpu_hours, x.energy_kwh
from (
  select r.group_id,
         case when count(distinct r.cluster) = 1 then nullif(min(r.cluster), '') end as cluster,
         case when count(distinct r.namespace) = 1 then nullif(min(r.namespace), '') end as namespace,
         case when count(distinct o.team) = 1 then nullif(min(o.team), '') end as team,
         count(*)::bigint as runs, count(*) filter (where r.status = 'succeeded')::bigint as succeeded,
         count(*) filter (where r.status = 'failed')::bigint as failed,
         count(*) filter (where r.status = 'cancelled')::bigint as cancelled,
         count(*) filter (where r.status in ('running', 'queued'))::bigint as open,
         min(r.started_at) as started_at,
         case when bool_and(r.ended_at is not null) then max(r.ended_at) end as ended_at,
         sum(r.attempts)::bigint as attempts, sum(r.preemptions)::bigint as preemptions
  from runs r
  left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
  where r.tenant_id = @tenant and r.group_id <> ''
  group by r.group_id
  having @group_overlaps
) g
left join (
  select r.group_id, a.loss_basis, m.cause, m.in_window::text as in_window, m.quality, m.state, m.currency,
         sum(m.effective_cost) as effective_cost, sum(round(m.effective_cost * @may_lose_share, 12)) as may_be_lost,
         sum(m.effective_abs) as effective_abs,
         sum(m.billed_cost) as billed_cost, sum(m.list_cost) as list_cost, sum(m.contracted_cost) as contracted_cost,
         sum(m.gpu_hours) as gpu_hours, sum(m.active_gpu_hours) as active_gpu_hours, sum(m.energy_kwh) as energy_kwh
  from (
@run_rows
  ) m
  join runs r on r.tenant_id = @tenant and r.run_id = m.run_id
  left join attempts a on a.tenant_id = @tenant and a.attempt_id = m.attempt_id
  group by 1, 2, 3, 4, 5, 6, 7
) x on x.group_id = g.group_id
window all_of_it as (partition by g.group_id)

-- name: report.interrupted
-- The attempts that interruptions hit, for report.spot and report.interruptions. An attempt that lost several
-- machines at once counts its recovery at the first (docs/figures.md, 20.3).
select i.node_id, i.at, i.warned_at, h.attempt_id, a.run_id,
       case when row_number() over (partition by h.attempt_id order by i.at,
           i.node_id) = 1 then h.recovery_seconds end as recovery_seconds
from spot_interruptions i
left join spot_hits h on h.tenant_id = i.tenant_id and h.node_id = i.node_id
left join attempts a on a.tenant_id = h.tenant_id and a.attempt_id = h.attempt_id
where i.tenant_id = @tenant and i.at >= @from and i.at < @to

-- name: report.interruptions
-- Interrupted spot machines, and the workloads that they hit.
select h.at, h.warned_at, nullif(n.cluster, '') as cluster, n.name as node,
       nullif(n.instance_type, '') as instance_type,
       nullif(n.region, '') as region, nullif(n.zone, '') as zone,
       h.run_id, nullif(a.task, '') as task, a.attempt::bigint as attempt, coalesce(o.team, p.team) as team, r.kind,
       h.recovery_seconds, c.lost_cost, c.currency,
       h.node_id::text as interruption,
       case when h.recovery_seconds is not null then h.attempt_id end as recovered_attempt, null::bigint as one
from (
  select i.*, row_number() over (partition by i.attempt_id order by i.at, i.node_id) as turn
  from (
@interrupted
  ) i
) h
join nodes n on n.tenant_id = @tenant and n.node_id = h.node_id
left join owners p on p.tenant_id = @tenant and p.owner_id = n.owner_id
left join attempts a on a.tenant_id = @tenant and a.attempt_id = h.attempt_id
left join runs r on r.tenant_id = @tenant and r.run_id = h.run_id
left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
left join ( -- what the attempt lost, and what the next one took to begin
  select y.attempt_id, b.currency, sum(b.effective_cost) as lost_cost
  from (
    select y.attempt_id, z.run_id, z.attempt_id as payer,
      case when z.attempt = y.attempt then 'lost' else 'overhead' end as cause
    from attempts y
    join attempts z on z.tenant_id = @tenant and z.run_id = y.run_id and z.task = y.task
      and z.attempt in (y.attempt, y.attempt + 1)
    where y.tenant_id = @tenant and y.reason = 'spot_interruption'
    offset 0 -- these are few: do not look up costs of other attempts
  ) y
  join (
@run_rows
  ) b on b.attempt_id = y.payer and b.cause = y.cause
  where b.currency is not null
  group by y.attempt_id, b.currency
) c on c.attempt_id = h.attempt_id and h.turn = 1

-- name: report.run_burn
-- Current cost per hour of running runs, when their budget will be or was used up, and the cost to come if they last
-- as long as similar runs (docs/figures.md 15.5). Now is the end of the data.
select u.run_id, u.currency, u.burn_rate,
       case when u.spent >= u.allowed then (
              select min(j.hour) + interval '1 hour'
              from (
                select p.hour, sum(sum(p.effective_cost)) over (order by p.hour) as spent
                from @seen[postings] p
                where p.tenant_id = @tenant and p.run_id = u.run_id and p.currency = u.currency
                group by p.hour
              ) j
              where j.spent >= u.allowed)
            when (u.allowed - u.spent) / u.burn_rate < 876000
            then u.now + floor((u.allowed - u.spent) * 3600 / u.burn_rate)::bigint * interval '1 second'
       end as budget_runs_out_at,
       case when u.usual is not null then round(u.burn_rate * greatest(0, u.usual - u.lasted) / 3600,
           12) end as still_to_come
from (
  select r.run_id, w.currency, e.now, r.budget as allowed,
         round(w.effective_cost / nullif(w.hours, 0), 12) as burn_rate, z.spent, m.usual,
         extract(epoch from e.now - r.started_at) as lasted
  from runs r
  left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
  left join (
@run_gpus
  ) g on g.run_id = r.run_id
  cross join (select k.at as now from known_until k where k.tenant_id = @tenant) e
  cross join lateral (
    select p.currency, sum(p.effective_cost) as effective_cost,
      count(distinct p.hour) filter (where p.gpu_hours > 0) as hours
    from @seen[postings] p
    where p.tenant_id = @tenant and p.run_id = r.run_id and p.effective_cost is not null
      and p.hour >= date_trunc('hour', e.now, 'UTC') - interval '6 hours' and p.hour < date_trunc('hour', e.now, 'UTC')
    group by p.currency
  ) w
  cross join lateral (
    select sum(p.effective_cost) as spent
    from @seen[postings] p
    where p.tenant_id = @tenant and p.run_id = r.run_id and p.currency = w.currency
  ) z
  left join (
    select coalesce(o.team, '') as team, i.kind, coalesce(o.model, '') as model, g.gpus,
           percentile_disc(0.5) within group (order by extract(epoch from i.ended_at - i.started_at)) as usual
    from runs i
    left join owners o on o.tenant_id = @tenant and o.owner_id = i.owner_id
    join (
      -- including runs that are not shown
      select s.run_id, max(s.gpus)::bigint as gpus from attempts s where s.tenant_id = @tenant group by s.run_id
    ) g on g.run_id = i.run_id
    where i.tenant_id = @tenant and i.status = 'succeeded' and i.started_at is not null and i.ended_at is not null
    group by 1, 2, 3, 4
  ) m on m.team = coalesce(o.team, '') and m.kind = r.kind and m.model = coalesce(o.model, '') and m.gpus = g.gpus
  where r.tenant_id = @tenant and r.status = 'running' @shown[r.run_id]
) u
where u.burn_rate > 0

-- name: report.run_checkpoints
-- How many checkpoints runs have: those posted for them, and those that workloads of their attempts reported during
-- the attempts (docs/rules.md 6.9).
select d.run_id, count(distinct d.at)::bigint as checkpoints
from (
  select s.run_id, e.at
  from attempts s
  join segments q on q.tenant_id = s.tenant_id and q.attempt_id = s.attempt_id
  join workloads w on w.tenant_id = q.tenant_id and w.workload_id = q.workload_id
  cross join lateral (values (w.name), (w.uid)) pod (name)
  join checkpoint_facts e on e.tenant_id = w.tenant_id and e.cluster = w.cluster and e.namespace = w.namespace
    and e.pod = pod.name
    and e.at > s.started_at and e.at <= s.ended_at
  where s.tenant_id = @tenant and pod.name <> '' @shown[s.run_id]
  union all
  select s.run_id, e.at
  from attempts s
  join checkpoint_facts e on e.tenant_id = s.tenant_id and e.run = s.run_id and e.at > s.started_at
    and e.at <= s.ended_at
  where s.tenant_id = @tenant and e.run <> '' @shown[s.run_id]
) d
group by d.run_id

-- name: report.run_days
-- report.run_facts of days or months from roll-ups.
select q.at as day, q.run_id, q.attempt_id, q.cause, q.quality, q.state, q.currency, q.pricing,
       q.at >= @asked_from and q.at < @asked_to as in_window,
       q.effective_cost, q.effective_abs, q.billed_cost, q.list_cost, q.contracted_cost, q.on_demand, q.unpriced,
       q.fees,
       q.spot_saving, q.spot_known_hours, q.spot_unknown_cost,
       q.gpu_hours, q.active_gpu_hours, q.energy_kwh
from @kept q
where q.tenant_id = @tenant and q.at >= @from and q.at < @to @of_runs[q.run_id]

-- name: report.run_facts
-- Facts of runs by day, for report.run_sums and run_days. Spot savings cover the time on spot machines with a known
-- on-demand price; unpriced is GPU time with a cost and without one.
select p.day, p.run_id, p.attempt_id, p.cause, p.quality, p.state, p.currency,
       case when p.on_spot then 'spot' end as pricing,
       p.hour >= @asked_from and p.hour < @asked_to as in_window,
       sum(p.effective_cost) as effective_cost, sum(abs(p.effective_cost)) as effective_abs,
       sum(p.billed_cost) as billed_cost, sum(p.list_cost) as list_cost, sum(p.contracted_cost) as contracted_cost,
       sum(p.on_demand) as on_demand,
       bool_or(p.gpu_hours is not null and p.effective_cost is not null and p.on_demand is null) as unpriced,
       bool_and(p.kind = 'amortise') as fees,
       sum(p.on_demand - p.effective_cost) filter (where p.on_spot) as spot_saving,
       sum(p.gpu_hours) filter (where p.on_spot and p.on_demand is not null) as spot_known_hours,
       sum(p.effective_cost) filter (where p.on_spot and p.on_demand is null) as spot_unknown_cost,
       sum(p.gpu_hours) as gpu_hours, sum(p.active_gpu_hours) as active_gpu_hours, sum(p.energy_kwh) as energy_kwh
from (
  select q.*, s.on_spot, date_trunc('day', q.hour, 'UTC') as day,
         case when s.on_spot then case when q.effective_cost is not null then on_demand_cost(t.source, t.hourly, t.gpus,
             q.list_cost, q.gpu_hours) end
              when q.gpu_hours is null or q.list_cost <> 0 or q.list_cost = 0 and q.effective_cost = 0 then q.list_cost
              when q.state = 'provisional' then (
                select round(r.hourly * q.gpu_hours / nullif(n.gpus, 0), 12)
                from nodes n
                join rates r on r.tenant_id = n.tenant_id and r.instance_type = n.instance_type
                  and r.price_class = 'on_demand' and r.currency = q.currency
                  and (r.region = n.region or r.region = '')
                  and r.valid_from < date_trunc('day', q.hour, 'UTC') + interval '1 day'
                    and r.valid_to > date_trunc('day', q.hour, 'UTC')
                where n.tenant_id = @tenant and n.node_id = q.node_id
                order by r.region = '', r.valid_from desc, r.rate_id
                limit 1)
         end as on_demand
  from (@facts) q
  left join spot_rates t on t.tenant_id = @tenant and t.node_id = q.node_id and t.hour = q.hour
    and t.currency = q.currency
  cross join lateral (select q.usage_id is not null
    and coalesce(q.node_id in (select n.node_id from nodes n where n.tenant_id = @tenant and n.price_class = 'spot'),
        false) as on_spot) s
  where q.run_id is not null @of_runs[q.run_id]
) p
group by 1, 2, 3, 4, 5, 6, 7, 8, 9

-- name: report.run_gpus
-- Most slots that one attempt of a run held at once (docs/figures.md 15.6).
select s.run_id, max(s.gpus)::bigint as gpus
from attempts s
where s.tenant_id = @tenant @shown[s.run_id]
group by s.run_id

-- name: report.run_halves
-- Facts of runs by day, those with a bill and those without, for star.run.
select f.day as hour, f.*
from (
@halves[run_facts]
) f

-- name: report.run_machines
-- The machines of the workloads of runs: every instance type and GPU model once.
select s.run_id, string_agg(distinct nullif(n.instance_type, ''), ', ' order by nullif(n.instance_type,
         '')) as instance_type,
       string_agg(distinct nullif(n.gpu_model, ''), ', ' order by nullif(n.gpu_model, '')) as gpu_model
from attempts s
join segments q on q.tenant_id = s.tenant_id and q.attempt_id = s.attempt_id
join workloads w on w.tenant_id = q.tenant_id and w.workload_id = q.workload_id
join nodes n on n.tenant_id = w.tenant_id and n.node_id = w.node_id
where s.tenant_id = @tenant @shown[s.run_id]
group by s.run_id

-- name: report.run_sums
-- Sums of facts over all time, for datasets of runs. on_demand_cost is unknown if any GPU time of the group lacks an
-- on-demand price; spot_saving covers the time that has one (docs/figures.md 15.4). A group of fees has only shares
-- of prepaid fees: the hours that they pay for are in other groups, or on no line.
select m.run_id, m.attempt_id, m.cause, m.quality, m.state, m.currency, m.pricing, m.in_window,
       sum(m.effective_cost) as effective_cost, sum(m.effective_abs) as effective_abs,
       sum(m.billed_cost) as billed_cost, sum(m.list_cost) as list_cost, sum(m.contracted_cost) as contracted_cost,
       sum(m.spot_saving) as spot_saving, sum(m.spot_known_hours) as spot_known_hours,
       sum(m.spot_unknown_cost) as spot_unknown_cost,
       case when not bool_or(m.unpriced) then sum(m.on_demand) end as on_demand_cost,
       bool_and(m.fees) as fees,
       sum(m.gpu_hours) as gpu_hours, sum(m.active_gpu_hours) as active_gpu_hours, sum(m.energy_kwh) as energy_kwh
from (
@run_rows
) m
group by m.run_id, m.attempt_id, m.cause, m.quality, m.state, m.currency, m.pricing, m.in_window

-- name: report.run_totals
-- report.run_days with the total cost of attempts, over all causes.
select q.at as day, q.run_id, @try as attempt_id, null as cause, null as quality, null as state, q.currency,
       null as pricing, false as in_window,
       q.effective_cost, null::numeric as effective_abs, q.billed_cost, q.list_cost, q.contracted_cost,
       null::numeric as on_demand, false as unpriced, false as fees,
       null::numeric as spot_saving, null::numeric as spot_known_hours, null::numeric as spot_unknown_cost,
       q.gpu_hours, q.active_gpu_hours, q.energy_kwh
from @kept q
where q.tenant_id = @tenant and q.at >= @from and q.at < @to @of_runs[q.run_id]

-- name: report.runs
-- One row per run and combination of the keys that its sums are filtered by; the run's whole life, for runs that
-- overlap the window. A run's attributes appear once per currency, in the first row of each, so that groups of runs
-- add up.
select f.*, k.provider_split_cost, t.gpus, c.checkpoints, m.instance_type, m.gpu_model,
       case when f.status = 'succeeded'
           then extract(epoch from f.ended_at - f.created_at)::bigint end as time_to_train_seconds,
       case when f.status = 'succeeded' and f.nth = 1
           then extract(epoch from f.ended_at - f.created_at)::bigint end as train_seconds_once,
       case when f.status = 'succeeded' and f.created_at is not null then f.run_id end as trained,
       case when f.queue_wait_seconds is not null then f.run_id end as waited,
       case when f.nth = 1 then f.queue_wait_seconds end as queue_wait_once,
       case when f.nth = 1 then f.attempts end as attempts_once,
       case when f.nth = 1 then f.preemptions end as preemptions_once,
       case when f.nth = 1 then coalesce(c.checkpoints, 0) end as checkpoints_once,
       (f.budget is not null)::text as has_budget,
       case when f.nth = 1 then f.budget end as budget_once,
       case when f.nth = 1 then g.effective_cost end as gang_wait_once,
         case when f.nth = 1 and g.run_id is not null then 'true' end as gang_waited,
       case when f.nth = 1 then s.activity_bins end as activity_bins,
       case when f.nth = 1 then b.burn_rate end as burn_rate_once, b.budget_runs_out_at,
       case when b.still_to_come is null then null when f.nth = 1 then coalesce(f.effective_cost, 0) + b.still_to_come
           else f.effective_cost end as projected_cost
from (
  select h.*, row_number() over (partition by h.run_id, h.currency) as nth
  from (
    select r.run_id, nullif(r.group_id, '') as group_id, nullif(r.cluster, '') as cluster,
           nullif(r.namespace, '') as namespace,
           r.name, r.kind, nullif(r.root_kind, '') as workload_kind, @owner_columns @own_labels,
           r.status, r.created_at, r.started_at, r.ended_at, r.attempts::bigint as attempts,
           r.preemptions::bigint as preemptions,
           r.queue_wait_seconds, r.budget,
           x.cause, a.loss_basis, x.pricing, x.in_window::text as in_window, x.quality, x.state,
           coalesce(x.currency,
             case when min(x.currency) over run = max(x.currency) over run
                 then min(x.currency) over run end) as currency,
           x.effective_cost, x.effective_abs, x.billed_cost, x.list_cost, x.contracted_cost, x.spot_saving,
           -- Fees need no price themselves if lines or rates price all hours next to them.
           case when x.fees
             and not bool_or(x.gpu_hours > 0 and x.effective_cost is null) over try then 0
                 else x.on_demand_cost end as on_demand_cost,
           -- A run without any cost: all its time needs a price.
           (x.effective_cost is not null or x.gpu_hours > 0
             and not bool_or(x.effective_cost is not null) over run)::text as priced,
           (a.attempt > 1)::text as again,
           -- Spot savings are next to the cost of interruptions.
           case when i.interrupted then x.effective_cost else 0 end as spot_lost,
           round(x.effective_cost * @may_lose_share, 12) as may_be_lost,
           x.spot_known_hours, x.spot_unknown_cost,
           x.gpu_hours, x.active_gpu_hours, x.energy_kwh,
           case when x.effective_cost is not null or bool_or(x.fees) over try then x.gpu_hours end as paid_gpu_hours,
           case when x.effective_cost is not null
             or bool_or(x.fees) over try then x.active_gpu_hours end as paid_active_gpu_hours
    from runs r
    left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
    left join (
@run_sums
    ) x on x.run_id = r.run_id
    left join attempts a on a.tenant_id = @tenant and a.attempt_id = x.attempt_id
    left join attempts z on z.tenant_id = @tenant and z.run_id = a.run_id and z.task = a.task
      and z.attempt = a.attempt - 1
    cross join lateral (
      select coalesce(x.cause = 'lost' and a.reason = 'spot_interruption' or x.cause = 'overhead'
        and z.reason = 'spot_interruption', false) as interrupted
    ) i
    where r.tenant_id = @tenant
      and coalesce(r.started_at, r.created_at, @from) < @to
      and (r.ended_at is null or r.ended_at > @from)
      @these_runs[r.run_id]
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
-- equal, or the server keeps the join even if the query does not need it
) g on g.run_id = f.run_id and g.currency = coalesce(f.currency, '')
left join (
  select q.run_id, merged_bins(q.activity_bins) as activity_bins
  from (
@run_signal_rows
  ) q
  group by q.run_id
) s on s.run_id = f.run_id
left join (
  select distinct
      on (u.run_id, u.currency) u.* -- one row each: lets the server drop an unused join
  from (
@run_burn
  ) u
) b on b.run_id = f.run_id and b.currency = f.currency

-- name: report.scaling
-- Completed runs by team, model, kind and GPU count; the runs' whole lives, for runs that overlap the window.
-- Efficiency is relative to the smallest count of the same team, model and kind (docs/figures.md 15.6).
select f.*, f.whole_hours / nullif(f.whole_runs, 0) as gpu_hours_per_run,
       (f.first_hours / nullif(f.first_runs, 0)) / nullif(f.whole_hours / nullif(f.whole_runs, 0),
         0) as scaling_efficiency,
       f.first_gpus as smallest_gpus
from (
  select c.*, first_value(c.whole_hours) over w as first_hours, first_value(c.whole_runs) over w as first_runs,
    first_value(c.gpus) over w as first_gpus
  from (
    select b.team, b.project, b.model, b.kind, b.gpus, b.currency, b.state, b.run_id, b.effective_cost, b.billed_cost,
           b.list_cost, b.contracted_cost, b.gpu_hours, b.seconds,
           sum(b.gpu_hours) over n as whole_hours, sum(b.first) over n as whole_runs
    from (
      select nullif(o.team, '') as team, nullif(o.project, '') as project, nullif(o.model, '') as model, r.kind, g.gpus,
             r.run_id, s.currency, s.state,
             s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, s.gpu_hours,
             case when row_number() over (partition by r.run_id) = 1 then 1 else 0 end as first,
             case when row_number() over (partition by r.run_id, s.currency) = 1
                 then extract(epoch from r.ended_at - r.started_at)::bigint end as seconds
      from runs r
      left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
      join (
@run_gpus
      ) g on g.run_id = r.run_id
      join (
        select x.run_id, x.currency, @least_settled(x) as state, sum(x.effective_cost) as effective_cost,
               sum(x.billed_cost) as billed_cost,
               sum(x.list_cost) as list_cost, sum(x.contracted_cost) as contracted_cost, sum(x.gpu_hours) as gpu_hours
        from (
          select y.run_id, y.state, y.effective_cost, y.billed_cost, y.list_cost, y.contracted_cost, y.gpu_hours,
                 coalesce(y.currency,
                   case when min(y.currency) over run = max(y.currency) over run
                       then min(y.currency) over run end) as currency
          from (
@run_sums
          ) y
          window run as (partition by y.run_id)
        ) x
        group by x.run_id, x.currency
      ) s on s.run_id = r.run_id
      where r.tenant_id = @tenant and r.status = 'succeeded' and r.started_at is not null and g.gpus > 0
        and coalesce(r.started_at, r.created_at, @from) < @to
        and (r.ended_at is null or r.ended_at > @from)
    ) b
    window n as (partition by b.team, b.model, b.kind, b.gpus)
  ) c
  window w as (partition by c.team, c.model, c.kind order by c.gpus rows between unbounded preceding
    and unbounded following)
) f

-- name: report.workloads
-- Workloads that can hold devices, with the results of allocation.
select f.cluster, coalesce(nullif(f.system, ''), 'kubernetes') as system, nullif(f.namespace, '') as namespace, f.name,
       f.uid, nullif(f.node, '') as node,
       nullif(f.owner_kind, '') as owner_kind, nullif(f.owner_name, '') as owner_name,
       (select string_agg(r.key || '=' || r.value, ', ' order by r.key) from jsonb_each_text(f.requests) r) as requests,
       f.created_at, f.eligible_at, f.scheduled_at, f.started_at, coalesce(f.completed_at, f.terminal_at) as ended_at,
       f.first_seen, f.last_seen,
       w.hold_from, w.hold_to,
       coalesce(nullif(f.outcome, ''), w.outcome) as outcome,
       nullif(case when f.outcome <> '' then f.outcome_reason else w.reason end, '') as reason,
       w.class, nullif(w.run_id, '') as run_id,
       bins_percentile(s.activity_bins, 50) / 1000000 as activity_p50,
       bins_percentile(s.activity_bins, 95) / 1000000 as activity_p95
from workload_facts f
left join workloads w on w.tenant_id = @tenant and w.cluster = f.cluster and w.uid = f.uid
left join (
  select q.workload_id, merged_bins(q.activity_bins) as activity_bins
  from (
@workload_signal_rows
  ) q
  group by q.workload_id
) s on s.workload_id = w.workload_id
where f.tenant_id = @tenant
  and coalesce(w.hold_from, f.scheduled_at, f.created_at, f.first_seen, f.started_at, @from) < @to
  and coalesce(w.hold_to, f.completed_at, f.terminal_at, f.last_seen, 'infinity') >= @from
