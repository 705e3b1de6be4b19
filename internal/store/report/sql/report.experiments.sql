-- One row per experiment, metric, run and currency; runs of whole life, for runs
-- that overlap the window. A run belongs to the experiment whose result names it
-- (the first by name), else to its owner's (docs/figures.md 15.8). Cost stands on
-- every metric's rows, and once on those of the first.
select f.*,
       case when f.nth = 1 then f.effective_cost end as effective_cost_once, case when f.nth = 1 then f.billed_cost end as billed_cost_once,
       case when f.nth = 1 then f.list_cost end as list_cost_once, case when f.nth = 1 then f.contracted_cost end as contracted_cost_once,
       case when f.nth = 1 then f.gpu_hours end as gpu_hours_once
from (
  select e.experiment, m.metric, m.value, m.baseline, m.threshold, case when m.metric is not null then case when m.lower_is_better then 'lower' else 'higher' end end as direction,
         case when m.lower_is_better then m.value <= coalesce(m.threshold, m.baseline) else m.value >= coalesce(m.threshold, m.baseline) end as successful,
         nullif(m.run, '') as result_run, m.at,
         u.run_id, u.status, u.kind, u.cluster, u.namespace, u."group", u.gpus,
         u.business_unit, u.team, u.project, u.model, u.model_version, u.stage, u.environment, u.cost_center, u.dataset, u."user", u.priority, u.queue,
         u.currency, u.state, u.effective_cost, u.billed_cost, u.list_cost, u.contracted_cost, u.gpu_hours, u.active_gpu_hours,
         dense_rank() over (partition by e.experiment order by m.metric) as nth
  from (
    select r.experiment from (@experiment_runs) r
    union
    select q.experiment from experiment_results q
    where q.tenant_id = @tenant and coalesce(q.at, @from) < @to and (q.at is null or q.at >= @from)
  ) e
  left join (
    select distinct on (q.experiment, q.metric) q.*
    from experiment_results q
    where q.tenant_id = @tenant
    order by q.experiment, q.metric, q.at desc nulls last, q.value desc, q.run
  ) m on m.experiment = e.experiment
  left join (
    select n.experiment as belongs_to, n.run_id, r.status, r.kind, nullif(r.cluster, '') as cluster, nullif(r.namespace, '') as namespace, nullif(r.group_id, '') as "group",
           g.gpus, @owner_columns, s.currency, s.state, s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, s.gpu_hours, s.active_gpu_hours
    from (@experiment_runs) n
    join runs r on r.tenant_id = @tenant and r.run_id = n.run_id
    left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
    left join (
@run_gpus
    ) g on g.run_id = n.run_id
    left join (
      select x.run_id, x.currency, max(x.state) as state, sum(x.effective_cost) as effective_cost, sum(x.billed_cost) as billed_cost,
             sum(x.list_cost) as list_cost, sum(x.contracted_cost) as contracted_cost, sum(x.gpu_hours) as gpu_hours, sum(x.active_gpu_hours) as active_gpu_hours
      from (
        select y.run_id, y.state, y.effective_cost, y.billed_cost, y.list_cost, y.contracted_cost, y.gpu_hours, y.active_gpu_hours,
               coalesce(y.currency, case when min(y.currency) over run = max(y.currency) over run then min(y.currency) over run end) as currency
        from (
@run_rows
        ) y
        window run as (partition by y.run_id)
      ) x
      group by x.run_id, x.currency
    ) s on s.run_id = n.run_id
  ) u on u.belongs_to = e.experiment
) f
