-- Completed runs by team, model, kind and GPU count; the runs' whole lives, for
-- runs that overlap the window. Efficiency compares with the smallest count of
-- the same team, model and kind (docs/figures.md 15.6).
select f.*, f.whole_hours / nullif(f.whole_runs, 0) as gpu_hours_per_run,
       (f.first_hours / nullif(f.first_runs, 0)) / nullif(f.whole_hours / nullif(f.whole_runs, 0), 0) as scaling_efficiency,
       f.first_gpus as smallest_gpus
from (
  select c.*, first_value(c.whole_hours) over w as first_hours, first_value(c.whole_runs) over w as first_runs, first_value(c.gpus) over w as first_gpus
  from (
    select b.team, b.project, b.model, b.kind, b.gpus, b.currency, b.state, b.run_id, b.effective_cost, b.billed_cost, b.list_cost, b.contracted_cost, b.gpu_hours, b.seconds,
           sum(b.gpu_hours) over n as whole_hours, sum(b.first) over n as whole_runs
    from (
      select nullif(o.team, '') as team, nullif(o.project, '') as project, nullif(o.model, '') as model, r.kind, g.gpus, r.run_id, s.currency, s.state,
             s.effective_cost, s.billed_cost, s.list_cost, s.contracted_cost, s.gpu_hours,
             case when row_number() over (partition by r.run_id) = 1 then 1 else 0 end as first,
             case when row_number() over (partition by r.run_id, s.currency) = 1 then extract(epoch from r.ended_at - r.started_at)::bigint end as seconds
      from runs r
      left join owners o on o.tenant_id = @tenant and o.owner_id = r.owner_id
      join (
@run_gpus
      ) g on g.run_id = r.run_id
      join (
        select x.run_id, x.currency, max(x.state) as state, sum(x.effective_cost) as effective_cost, sum(x.billed_cost) as billed_cost,
               sum(x.list_cost) as list_cost, sum(x.contracted_cost) as contracted_cost, sum(x.gpu_hours) as gpu_hours
        from (
          select y.run_id, y.state, y.effective_cost, y.billed_cost, y.list_cost, y.contracted_cost, y.gpu_hours,
                 coalesce(y.currency, case when min(y.currency) over run = max(y.currency) over run then min(y.currency) over run end) as currency
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
  window w as (partition by c.team, c.model, c.kind order by c.gpus rows between unbounded preceding and unbounded following)
) f
