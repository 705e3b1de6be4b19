-- Sign-ins from one address are counted one after the other.
select pg_advisory_xact_lock(hashtext('sign-in from ' || $1))
