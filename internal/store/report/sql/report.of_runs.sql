-- Of rows q, those of runs that overlap the window.
and q.run_id in (
  select r.run_id from runs r
  where r.tenant_id = @tenant and coalesce(r.started_at, r.created_at, @asked_from) < @asked_to and (r.ended_at is null or r.ended_at > @asked_from))
