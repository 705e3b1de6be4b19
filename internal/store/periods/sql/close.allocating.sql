-- Whether an allocation runs: who does holds the lock of close.lock_running.
select exists (
  select from pg_locks l
  where l.locktype = 'advisory' and l.granted and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = (hashtext('gpuledger allocation')::bigint & 4294967295)::oid and l.objid = $1::int::oid and l.objsubid = 2)
