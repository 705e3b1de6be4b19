select pg_advisory_lock(hashtext('gpuledger allocation'), $1)
