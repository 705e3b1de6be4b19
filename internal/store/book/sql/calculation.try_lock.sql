select pg_try_advisory_lock(hashtext('gpuledger allocation'), $1)
