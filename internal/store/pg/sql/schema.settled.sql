-- Whoever reads waits until a migration under way has ended.
select pg_advisory_xact_lock_shared(hashtext('gpuledger schema'))
