select pg_try_advisory_xact_lock(hashtext('gpuledger allocation'), $1)
