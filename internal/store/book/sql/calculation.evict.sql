-- A planner that gives no sign of life is stopped or cut off: the sessions of
-- its calculation end, and with them its lock. One that has no calculation yet
-- has only its lock, in a session that does nothing. Workers of its process save
-- in sessions of their own: those end, too, where their worker is as silent.
with silent as (
  select calculation_id from calculations where tenant_id = $1 and finished_at is null and seen_at < now() - make_interval(secs => $2)
), alive as (
  select from calculations where tenant_id = $1 and finished_at is null and seen_at >= now() - make_interval(secs => $2)
)
select count(pg_terminate_backend(a.pid))
from pg_stat_activity a
where a.datname = current_database() and a.pid <> pg_backend_pid() and not exists (select from alive) and (
  a.application_name in (select 'gpuledger ' || replace(calculation_id::text, '-', '') from silent)
  or a.application_name in (select 'gpuledger ' || worker from allocation_workers where tenant_id = $1 and seen_at < now() - make_interval(secs => $3))
  or a.state = 'idle' and a.state_change < now() - make_interval(secs => $2) and exists (
    select from pg_locks l where l.pid = a.pid and l.granted and l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())
      and l.classid = (hashtext('gpuledger allocation')::bigint & 4294967295)::oid and l.objid = $1::int::oid and l.objsubid = 2))
