select pg_advisory_unlock(hashtext('gpuledger analysis'), $1)
