-- All attempts of the runs of the given ones, and when each first used what it held.
select z.attempt_id, z.run_id, z.task, z.attempt, z.ended_at, u.used_at
from (select distinct a.run_id from attempts a where a.tenant_id = $1 and a.attempt_id = any($2::uuid[])) r
join attempts z on z.tenant_id = $1 and z.run_id = r.run_id
left join lateral (
  select min(s.from_at) as used_at from spans s
  where s.tenant_id = $1 and s.run_id = z.run_id and s.attempt_id = z.attempt_id and s.cause = 'used'
) u on true
