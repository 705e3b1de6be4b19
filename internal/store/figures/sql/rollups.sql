-- Days and months of facts: which are stale, which are done.

-- name: analysis.days
select day from analysis_days where tenant_id = $1 and step = $2 order by day

-- name: analysis.deal
-- Hands marked days to every step that reads the changed data; $2 and $3 pair steps with what they read.
with changed as (
  delete from stale_days where tenant_id = $1 returning day, what
)
insert into analysis_days (tenant_id, step, day)
select distinct $1::int, r.step, c.day
from changed c join unnest($2::text[], $3::text[]) r (step, what) on r.what = c.what
on conflict do nothing

-- name: analysis.done
delete from analysis_days where tenant_id = $1 and step = $2 and day = $3

-- name: analysis.lock
select pg_advisory_lock(hashtext('gpuledger analysis'), $1)

-- name: analysis.mark
insert into analysis_days (tenant_id, step, day) values ($1, $2, $3) on conflict do nothing

-- name: analysis.settings
-- A day that is lost with the server still has its mark, and is computed again. Plans are made for the given day: a
-- generic plan expects a 200th of a day's rows.
select set_config('synchronous_commit', 'off', true), set_config('work_mem', '96MB', true),
  set_config('plan_cache_mode', 'force_custom_plan', true)

-- name: analysis.unlock
select pg_advisory_unlock(hashtext('gpuledger analysis'), $1)

-- name: report.levels
-- Hours of machines of a type in a region that were on demand or covered by a commitment (docs/figures.md, 19.4).
select r.provider, r.instance_type, coalesce(r.region, '') as region, coalesce(r.currency, '') as currency,
  coalesce(r.instance_family, '') as family,
  r.hour, r.use, r.gpus, r.work, @least_settled(r) as state, sum(r.effective_cost) as cost, sum(r.gpu_hours) as gpu_hours,
  sum(r.capacity_gpu_hours) as capacity
from (
@level_rows
) r
where r.use in ('on_demand', 'covered') and r.instance_type is not null and r.provider is not null
  and r.gpus is not null
group by 1, 2, 3, 4, 5, 6, 7, 8, 9
order by 1, 2, 3, 4, 5, 6, 7, 8, 9

-- name: rollup.mark_day
insert into rolled_days (tenant_id, day) values ($1, $2) on conflict do nothing

-- name: rollup.mark_month
insert into rolled_months (tenant_id, month) values ($1, $2)

-- name: rollup.new_months
-- Months whose days are all rolled up, and that are not rolled up themselves.
select m.month from (
  select date_trunc('month', day, 'UTC') as month, count(*) as days from rolled_days where tenant_id = $1 group by 1
) m
where m.days = extract(day from (m.month at time zone 'UTC') + interval '1 month' - interval '1 day')
  and not exists (select from rolled_months r where r.tenant_id = $1 and r.month = m.month)
order by 1

-- name: rollup.settings
-- Each table is read only a few times, whole, so a rough number of groups is enough. Rows are grouped by some thirty
-- text keys: hashing them takes a fifth of the time of sorting, which the server prefers if it expects too many
-- groups. Functions that merge keep their plans.
select set_config('default_statistics_target', '10', true), set_config('enable_sort', 'off', true),
  set_config('plan_cache_mode', 'auto', true)

-- name: rollup.sizes
select day, sum(posting_rows)::bigint from chunks where tenant_id = $1 and day = any ($2) group by day

-- name: rollup.there
-- How many days of a span are rolled up, and which of its months.
select (select count(*) from rolled_days where tenant_id = $1 and day >= $2 and day < $3) as days,
  array(select month from rolled_months where tenant_id = $1 and month >= date_trunc('month', $2::timestamptz, 'UTC')
    and month < $3 order by month) as months

-- name: rollup.unmark_month
delete from rolled_months where tenant_id = $1 and month = date_trunc('month', $2::timestamptz, 'UTC')

-- name: star.forget_months
delete from rolled_months

-- name: star.mark_days
-- Rolled-up days are to be rolled up again.
insert into analysis_days (tenant_id, step, day)
select tenant_id, 'costs', day from rolled_days
on conflict do nothing

-- name: star.tables
-- Tables of facts, with the declaration in their comments.
select c.relname::text as name, coalesce(obj_description(c.oid, 'pg_class'), '') as says,
  array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
    and not a.attisdropped) as columns
from pg_class c
where c.relnamespace = 'star'::regnamespace and c.relkind = 'r'
