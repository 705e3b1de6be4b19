-- Those of the named workers that give no sign of life. The sessions in which
-- they save end, so that nobody waits for them.
with lost as (
  select n.worker from unnest($2::text[]) n (worker)
  where not exists (select from allocation_workers w where w.tenant_id = $1 and w.worker = n.worker and w.seen_at > now() - make_interval(secs => $3))
), ended as (
  select count(pg_terminate_backend(a.pid)) as sessions
  from pg_stat_activity a
  where a.datname = current_database() and a.pid <> pg_backend_pid() and a.application_name in (select 'gpuledger ' || worker from lost)
)
select worker from lost cross join ended
