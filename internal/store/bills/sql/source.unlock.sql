select pg_advisory_unlock(hashtext('gpuledger source ' || $1::int), hashtext($2))
