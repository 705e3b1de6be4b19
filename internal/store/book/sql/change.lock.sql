select pg_advisory_xact_lock(hashtext('gpuledger changes'), $1)
