select pg_advisory_lock(hashtext('gpuledger analysis'), $1)
