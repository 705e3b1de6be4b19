-- Runs that were there on the days, and those that had a finding then.
select run_id from runs
where tenant_id = $1 and coalesce(started_at, created_at) < $3 and (ended_at is null or ended_at > $2)
union
select run_id from findings where tenant_id = $1 and scope = 'run' and run_id is not null and from_at < $3 and to_at > $2
