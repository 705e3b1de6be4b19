-- Workers that have batches of a calculation and give no sign of life: the
-- sessions in which they save end, so that nobody waits for them.
with lost as (
  select distinct b.worker
  from allocation_batches b
  left join allocation_workers w on w.tenant_id = b.tenant_id and w.worker = b.worker and w.seen_at > now() - make_interval(secs => $3)
  where b.tenant_id = $1 and b.calculation_id = $2 and b.result is null and b.worker is not null and w.worker is null
), ended as (
  select count(pg_terminate_backend(a.pid)) as sessions
  from pg_stat_activity a
  where a.datname = current_database() and a.pid <> pg_backend_pid() and a.application_name in (select 'gpuledger ' || worker from lost)
)
select worker from lost cross join ended
