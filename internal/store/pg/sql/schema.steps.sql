-- Held by the process that does the steps after migrations.
select pg_advisory_xact_lock(hashtext('gpuledger schema'))
