select pg_try_advisory_lock(hashtext('gpuledger source ' || $1::int), hashtext($2))
