-- What workers have that give no sign of life. The sessions in which they save end,
-- so that nobody waits for them.
with lost as (
  select distinct b.worker from allocation_batches b
  where b.tenant_id = $1 and b.calculation_id = $2 and b.result is null and b.worker is not null
    and not exists (select from allocation_workers w where w.tenant_id = $1 and w.worker = b.worker and w.seen_at > now() - make_interval(secs => $3))
), ended as materialized (
  select count(pg_terminate_backend(a.pid)) as sessions
  from pg_stat_activity a
  where a.datname = current_database() and a.pid <> pg_backend_pid() and a.application_name in (select 'gpuledger ' || worker from lost)
)
update allocation_batches b set worker = null
from lost cross join ended
where b.tenant_id = $1 and b.calculation_id = $2 and b.result is null and b.worker = lost.worker and ended.sessions >= 0
