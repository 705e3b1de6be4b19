select pg_advisory_unlock(hashtext('gpuledger schema'))
