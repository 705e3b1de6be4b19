-- Schedules of exports and their runs.

-- name: exports.schedules
-- All schedules, or one, each with its newest run.
select s.name, s.dataset, s.options, s.format, s.for_excel, s.target, s.every, s.months, s.keep, s.changed_at,
  s.changed_by, s.done, r.tick, coalesce(r.tries, 0) as tries, r.started_at, r.ended_at, coalesce(r.state, '') as state,
  coalesce(r.error, '') as error, coalesce(r.written, 0) as written, coalesce(r.kept, 0) as kept,
  coalesce(r.removed, 0) as removed, coalesce(r.rows, 0) as rows, coalesce(r.bytes, 0) as bytes
from export_schedules s
left join lateral (
  select * from export_runs r where r.tenant_id = s.tenant_id and r.name = s.name order by r.tick desc limit 1
) r on true
where s.tenant_id = $1 and ($2::text is null or s.name = $2)
order by s.name

-- name: exports.put
-- A changed schedule is due again at once.
insert into export_schedules (tenant_id, name, dataset, options, format, for_excel, target, every, months, keep,
  changed_at, changed_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
on conflict (tenant_id, name) do update set
  dataset = excluded.dataset, options = excluded.options, format = excluded.format, for_excel = excluded.for_excel,
  target = excluded.target, every = excluded.every, months = excluded.months, keep = excluded.keep,
  changed_at = excluded.changed_at, changed_by = excluded.changed_by, done = null

-- name: exports.drop
delete from export_schedules where tenant_id = $1 and name = $2

-- name: exports.start
insert into export_runs (tenant_id, name, tick, tries, started_at, state)
values ($1, $2, $3, 1, $4, 'running')
on conflict (tenant_id, name, tick) do update set
  tries = export_runs.tries + 1, started_at = excluded.started_at, ended_at = null, state = 'running', error = '',
  written = 0, kept = 0, removed = 0, rows = 0, bytes = 0

-- name: exports.finish
update export_runs
set ended_at = $4, state = $5, error = $6, written = $7, kept = $8, removed = $9, rows = $10, bytes = $11
where tenant_id = $1 and name = $2 and tick = $3

-- name: exports.done
-- Only of the schedule as it ran: one that was changed meanwhile is due again.
update export_schedules set done = $3 where tenant_id = $1 and name = $2 and changed_at = $4

-- name: exports.forget
-- Outcomes of all but the newest scheduled times.
delete from export_runs r
where r.tenant_id = $1 and r.name = $2 and r.tick < (
  select min(n.tick) from (
    select tick from export_runs where tenant_id = $1 and name = $2 order by tick desc limit $3) n)

-- name: exports.try_lock
select pg_try_advisory_lock(hashtext('gpuledger export ' || $1::int), hashtext($2))

-- name: exports.unlock
select pg_advisory_unlock(hashtext('gpuledger export ' || $1::int), hashtext($2))
