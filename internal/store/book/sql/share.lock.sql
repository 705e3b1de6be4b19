select pg_advisory_xact_lock(hashtext('share'), $1)
