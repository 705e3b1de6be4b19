-- Figures compared with the ledger.

-- name: rollup.months
-- The months that are rolled up, from $2 to $3.
select month from rolled_months where tenant_id = $1 and month >= $2 and month < $3 order by 1

-- name: verify.rollup_days
-- Days that are as new as the ledger, by roll-up, cause, currency and state: the rolled-up sums compared with the
-- ledger.
with clean as materialized (
  select r.day from rolled_days r
  where r.tenant_id = $1 and r.day >= $2 and r.day < $3
    and r.day not in (
      select day from stale_days where tenant_id = $1 and what = 'ledger'
      union all select day from analysis_days where tenant_id = $1 and step = 'costs'
      union all select day from dirty where tenant_id = $1)
), ledger as materialized (
  -- By all days first, because the server cannot estimate which of them are clean.
  select * from (
  select f.day, f.cause, f.currency, f.state, sum(f.effective_cost) as effective_cost,
    sum(f.billed_cost) as billed_cost, sum(f.list_cost) as list_cost,
    sum(f.contracted_cost) as contracted_cost, sum(f.gpu_hours) as gpu_hours,
    sum(f.capacity_gpu_hours) as capacity_gpu_hours,
    sum(f.active_gpu_hours) as active_gpu_hours, sum(f.energy_kwh) as energy_kwh
  from (
    select date_trunc('day', p.hour, 'UTC') as day, p.cause, p.currency, p.state, p.effective_cost, p.billed_cost,
      p.list_cost, p.contracted_cost,
      p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh
    from postings p where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3
    union all
    select date_trunc('day', u.hour, 'UTC'), u.cause, null, 'provisional', null, null, null, null, u.gpu_hours,
      u.capacity_gpu_hours, u.active_gpu_hours, u.energy_kwh
    from usage u
    where u.tenant_id = $1 and u.hour >= $2 and u.hour < $3
      and not exists (select from parts b where b.tenant_id = $1 and b.node_id = u.node_id and b.hour = u.hour
        and b.usage_seconds is not null)
  ) f
  group by 1, 2, 3, 4
  ) days
  where day in (select day from clean)
), told as materialized (
  select d.roll_up, d.day, d.cause, d.currency, d.state, sum(d.effective_cost) as effective_cost,
    sum(d.billed_cost) as billed_cost, sum(d.list_cost) as list_cost,
    sum(d.contracted_cost) as contracted_cost, sum(d.gpu_hours) as gpu_hours,
    sum(d.capacity_gpu_hours) as capacity_gpu_hours,
    sum(d.active_gpu_hours) as active_gpu_hours, sum(d.energy_kwh) as energy_kwh
  from (
:rows
  ) d
  where d.day in (select day from clean)
  group by 1, 2, 3, 4, 5
)
select coalesce(l.roll_up, t.roll_up) as roll_up, coalesce(l.day, t.day) as day, coalesce(l.cause, t.cause) as cause,
  coalesce(l.currency, t.currency) as currency,
  coalesce(l.state, t.state) as state, l.effective_cost as ledger_cost, t.effective_cost as rolled_up_cost,
  l.gpu_hours as ledger_gpu_hours, t.gpu_hours as rolled_up_gpu_hours
from (select g.roll_up, l.* from ledger l cross join unnest($4::text[]) g (roll_up)) l
full join told t on t.roll_up = l.roll_up and t.day = l.day and t.cause = l.cause
  and coalesce(t.currency, '') = coalesce(l.currency, '') and t.state = l.state
where (l.effective_cost, l.billed_cost, l.list_cost, l.contracted_cost, l.gpu_hours, l.capacity_gpu_hours,
    l.active_gpu_hours, l.energy_kwh)
  is distinct from (t.effective_cost, t.billed_cost, t.list_cost, t.contracted_cost, t.gpu_hours, t.capacity_gpu_hours,
    t.active_gpu_hours, t.energy_kwh)
order by 1, 2, 3, 4, 5

-- name: verify.run_days
-- Days that are as new as the ledger, by run, cause, currency and state: the rows that runs are read from, compared
-- with the ledger.
with clean as materialized (
  select r.day from rolled_days r
  where r.tenant_id = $1 and r.day >= $2 and r.day < $3
    and r.day not in (
      select day from stale_days where tenant_id = $1 and what = 'ledger'
      union all select day from analysis_days where tenant_id = $1 and step = 'costs'
      union all select day from dirty where tenant_id = $1)
), ledger as materialized (
  select * from (
  select f.day, f.run_id, f.cause, f.currency, f.state, sum(f.effective_cost) as effective_cost,
    sum(f.billed_cost) as billed_cost, sum(f.gpu_hours) as gpu_hours
  from (
    select date_trunc('day', p.hour, 'UTC') as day, p.run_id, p.cause, p.currency, p.state, p.effective_cost,
      p.billed_cost, p.gpu_hours
    from postings p where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and p.run_id is not null
    union all
    select date_trunc('day', u.hour, 'UTC'), u.run_id, u.cause, null, 'provisional', null, null, u.gpu_hours
    from usage u
    where u.tenant_id = $1 and u.hour >= $2 and u.hour < $3 and u.run_id is not null
      and not exists (select from parts b where b.tenant_id = $1 and b.node_id = u.node_id and b.hour = u.hour
        and b.usage_seconds is not null)
  ) f
  group by 1, 2, 3, 4, 5
  ) days
  where day in (select day from clean)
), told as materialized (
  select d.at as day, d.run_id, d.cause, d.currency, d.state, sum(d.effective_cost) as effective_cost,
    sum(d.billed_cost) as billed_cost, sum(d.gpu_hours) as gpu_hours
  from star.run_days d where d.tenant_id = $1 and d.at in (select day from clean)
  group by 1, 2, 3, 4, 5
)
select coalesce(l.day, t.day) as day, coalesce(l.run_id, t.run_id) as run_id, coalesce(l.cause, t.cause) as cause,
  coalesce(l.currency, t.currency) as currency,
  coalesce(l.state, t.state) as state, l.effective_cost as ledger_cost, t.effective_cost as rolled_up_cost,
  l.gpu_hours as ledger_gpu_hours, t.gpu_hours as rolled_up_gpu_hours
from ledger l
full join told t on t.day = l.day and t.run_id = l.run_id and t.cause = l.cause
  and coalesce(t.currency, '') = coalesce(l.currency, '') and t.state = l.state
where (l.effective_cost, l.billed_cost, l.gpu_hours) is distinct from (t.effective_cost, t.billed_cost, t.gpu_hours)
order by 1, 2, 3, 4, 5

-- name: verify.settings
-- Groups with many keys are hashed: the server estimates that sorting by thirty texts, most of them equal, is as
-- cheap as by one.
select set_config('work_mem', '128MB', true), set_config('enable_sort', 'off', true)

-- name: verify.snapshot
select pg_export_snapshot()

-- name: verify.sort
set local enable_sort = on

-- name: verify.stale
select d.node_id, d.day, string_agg(distinct d.reason, '; ' order by d.reason) as reasons
from dirty d
where d.tenant_id = $1 and d.day < $3 and d.day + interval '1 day' > $2
group by d.node_id, d.day
order by d.day, d.node_id
