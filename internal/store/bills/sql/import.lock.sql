select pg_advisory_xact_lock(hashtext('gpuledger publish ' || $2::text), $1)
