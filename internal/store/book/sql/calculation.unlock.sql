select pg_advisory_unlock(hashtext('gpuledger allocation'), $1)
