-- What was marked goes to every step that reads it; $2 and $3 pair steps with
-- what they read.
with changed as (
  delete from stale_days where tenant_id = $1 returning day, what
)
insert into analysis_days (tenant_id, step, day)
select distinct $1::int, r.step, c.day
from changed c join unnest($2::text[], $3::text[]) r (step, what) on r.what = c.what
on conflict do nothing
