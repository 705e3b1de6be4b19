-- One pass of the engine, and the processes that share its work.

-- name: calculation.end_others
-- The holder of the lock is the planner, so all other calculations end. It waits for steps that others are writing
-- (calculation.fence).
update calculations set finished_at = $3, message = 'another calculation took over'
where (tenant_id, calculation_id) in (
  select o.tenant_id, o.calculation_id from calculations o
  where o.tenant_id = $1 and o.finished_at is null and o.calculation_id <> $2 for update)

-- name: calculation.evict
-- A planner without a sign of life is stopped or cut off. End the sessions of its calculation, which also releases its
-- lock. A planner that has no calculation yet has only its lock, in an idle session. Workers of its process save in
-- separate sessions: those end too if their worker is as silent.
with silent as (
  select calculation_id from calculations where tenant_id = $1 and finished_at is null
    and seen_at < now() - make_interval(secs => $2)
), alive as (
  select from calculations where tenant_id = $1 and finished_at is null and seen_at >= now() - make_interval(secs => $2)
)
select count(pg_terminate_backend(a.pid))
from pg_stat_activity a
where a.datname = current_database() and a.pid <> pg_backend_pid() and not exists (select from alive) and (
  a.application_name in (select 'gpuledger ' || replace(calculation_id::text, '-', '') from silent)
  or a.application_name in (select 'gpuledger ' || worker from allocation_workers
      where tenant_id = $1 and seen_at < now() - make_interval(secs => $3))
  or a.state = 'idle' and a.state_change < now() - make_interval(secs => $2) and exists (
    select from pg_locks l where l.pid = a.pid and l.granted and l.locktype = 'advisory'
      and l.database = (select oid from pg_database where datname = current_database())
      and l.classid = (hashtext('gpuledger allocation')::bigint & 4294967295)::oid and l.objid = $1::int::oid
        and l.objsubid = 2))

-- name: calculation.finish
update calculations set finished_at = $3, chunks = $4, message = nullif($5, '')
where tenant_id = $1 and calculation_id = $2 and finished_at is null

-- name: calculation.keep
update calculations set seen_at = now() where tenant_id = $1 and calculation_id = $2 and finished_at is null

-- name: calculation.mark
-- Marks become visible in order, so none up to the newest is still uncommitted.
select coalesce((select mark_id from newest_marks where tenant_id = $1), 0)

-- name: calculation.start
with inputs as (
  select jsonb_build_object(
    'deliveries',
    (select jsonb_build_object('count', count(*), 'md5', md5(string_agg(delivery_id::text, ',' order by delivery_id)))
      from deliveries where tenant_id = $1 and state = 'current'),
    'imports', (select jsonb_build_object('count', count(*), 'md5',
      md5(string_agg(import_id::text, ',' order by import_id)))
      from imports where tenant_id = $1 and state = 'published'),
    'policies', (select coalesce(jsonb_object_agg(version, md5(document)), '{}') from policy_versions
      where tenant_id = $1 and withdrawn_at is null and not only_rates),
    'mappings', (select coalesce(jsonb_object_agg(m.name || ' ' || m.valid_from || ' ' || m.version, md5(m.document)), '{}')
      from mappings m where m.tenant_id = $1 and not exists (select from mappings n where n.tenant_id = $1
        and n.name = m.name and n.valid_from = m.valid_from and n.version > m.version))
  ) as all_of_them
)
insert into calculations (tenant_id, calculation_id, policy_version, mark, started_at, seen_at, inputs, input_digest)
select $1, $2, $3, $4, $5, now(), all_of_them, sha256(convert_to(all_of_them::text, 'UTF8')) from inputs
on conflict (tenant_id, calculation_id) do update
set policy_version = excluded.policy_version, mark = excluded.mark, started_at = excluded.started_at,
  seen_at = excluded.seen_at,
  inputs = excluded.inputs, input_digest = excluded.input_digest, finished_at = null, chunks = 0, message = null

-- name: calculation.try_lock
select pg_try_advisory_lock(hashtext('gpuledger allocation'), $1)

-- name: calculation.unlock
select pg_advisory_unlock(hashtext('gpuledger allocation'), $1)

-- name: schema.ensure_bare_month
select ensure_bare_month($1, $2)

-- name: statistics.months
-- The partitions of a table for the months of [from, to]. Catalogues have no tenant_id.
select c.oid::regclass::text
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = to_regclass($1) and right(c.relname, 6) between to_char($2::timestamptz at time zone 'UTC',
    'YYYYMM') and to_char($3::timestamptz at time zone 'UTC', 'YYYYMM')
order by c.relname

-- name: workers.collect
delete from allocation_batches where tenant_id = $1 and calculation_id = $2 and result is not null returning result

-- name: workers.drop_batches
delete from allocation_batches where tenant_id = $1
  and (calculation_id = $2 or calculation_id in (select c.calculation_id from calculations c
      where c.tenant_id = $1 and c.finished_at is not null))

-- name: workers.fail
-- A failed batch is free again.
update allocation_batches set message = $4, worker = null where tenant_id = $1 and calculation_id = $2 and batch = $3
  and result is null

-- name: workers.free
-- Batches of workers without a sign of life. The sessions in which they save end, so that no one waits for them.
with lost as (
  select distinct b.worker from allocation_batches b
  where b.tenant_id = $1 and b.calculation_id = $2 and b.result is null and b.worker is not null
    and not exists (select from allocation_workers w where w.tenant_id = $1 and w.worker = b.worker
      and w.seen_at > now() - make_interval(secs => $3))
), ended as materialized (
  select count(pg_terminate_backend(a.pid)) as sessions
  from pg_stat_activity a
  where a.datname = current_database() and a.pid <> pg_backend_pid()
    and a.application_name in (select 'gpuledger ' || worker from lost)
)
update allocation_batches b set worker = null
from lost cross join ended
where b.tenant_id = $1 and b.calculation_id = $2 and b.result is null and b.worker = lost.worker and ended.sessions >= 0

-- name: workers.leave
with free as (
  update allocation_batches set worker = null where tenant_id = $1 and worker = $2 and result is null
)
delete from allocation_workers where tenant_id = $1 and worker = $2

-- name: workers.others
select exists (select from allocation_workers where tenant_id = $1 and worker <> $2
  and seen_at > now() - make_interval(secs => $3))

-- name: workers.put_batches
insert into allocation_batches (tenant_id, calculation_id, batch, node_days, work)
select $1::int, $2::uuid, b.batch, b.node_days, b.work
from unnest($3::int[], $4::int[], $5::bytea[]) b (batch, node_days, work)

-- name: workers.settle
-- The first result counts; others are equal.
update allocation_batches set result = $4::jsonb, message = null where tenant_id = $1 and calculation_id = $2
  and batch = $3 and result is null

-- name: workers.sign
insert into allocation_workers (tenant_id, worker, seen_at) values ($1, $2, now())
on conflict (tenant_id, worker) do update set seen_at = excluded.seen_at

-- name: workers.take
-- A free batch of a running calculation; two concurrent callers get different ones. A slot that asks while it has a
-- batch never learned of it, or could not deliver its result: it gets the same one again.
update allocation_batches b set worker = $2, slot = $3, tries = b.tries + 1
from (
  select n.calculation_id, n.batch, c.mark
  from allocation_batches n
  join calculations c on c.tenant_id = n.tenant_id and c.calculation_id = n.calculation_id and c.finished_at is null
  where n.tenant_id = $1 and n.result is null and (n.worker is null or n.worker = $2 and n.slot = $3)
  order by n.worker, n.calculation_id, n.batch
  limit 1
  for update of n skip locked
) n
where b.tenant_id = $1 and b.calculation_id = n.calculation_id and b.batch = n.batch
returning b.calculation_id as id, b.batch as number, b.work, n.mark

-- name: workers.under_way
-- Live processes with workers, and live calculations.
select (select count(*) from allocation_workers where tenant_id = $1 and seen_at > now() - make_interval(secs => $2))
    as workers,
  (select count(*) from calculations where tenant_id = $1 and finished_at is null
    and seen_at > now() - make_interval(secs => $3)) as calculations

-- name: workers.waiting
select count(*) as batches, coalesce(max(message) filter (where tries >= $3 and message is not null), '') as message
from allocation_batches where tenant_id = $1 and calculation_id = $2
