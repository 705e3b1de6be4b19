-- The allocation as a DuckDB expert would write it: samples are first summed into
-- hours and only then joined with the holds; hours in which a hold begins or ends
-- are computed minute by minute. Parameters: hours of (gpu, hour, active, seconds,
-- work) and minutes of (gpu, hour, ts, ppm).
with
edges as (
  select gpu, begins, ends, job, team, lost_from,
         lag(ends, 1, {from}) over w as before, lead(begins) over w as next
  from {holds} window w as (partition by gpu order by begins)
),
stretches as (
  select gpu, begins as f, case when lost_from > 0 then lost_from else ends end as t, job, team, false as lost
  from edges
  union all select gpu, lost_from, ends, job, team, true from edges where lost_from > 0
  union all select gpu, before, begins, -1, -1, false from edges
  union all select gpu, ends, {to}, -1, -1, false from edges where next is null
),
pieces as (
  select gpu, h::integer as hour, greatest(f, h * 3600)::integer as f, least(t, h * 3600 + 3600)::integer as t, job,
    team, lost
  from stretches, lateral unnest(range(f // 3600, (t - 1) // 3600 + 1)) as u(h)
  where f < t
),
buckets as (
  {by hour}
),
known as (
  select gpu, hour, job, team, lost, active, seconds, work
  from pieces join buckets using (gpu, hour) where t - f = 3600
  union all
  select gpu, hour, job, team, lost, ppm >= 100000 as active,
         sum(least(t, ts + 60) - greatest(f, ts))::integer as seconds,
         sum(ppm::bigint * (least(t, ts + 60) - greatest(f, ts)))::bigint as work
  from ({by minute}) join pieces using (gpu, hour)
  where t - f < 3600 and ts < t and ts + 60 > f
  group by all
),
every as (
  select gpu, hour, job, team, lost, active::tinyint as active, seconds, work from known
  union all
  select gpu, hour, job, team, lost, 2, sum(seconds)::integer as missing, 0
  from (select gpu, hour, job, team, lost, t - f as seconds from pieces
      union all select gpu, hour, job, team, lost, -seconds from known)
  group by all having missing > 0
)
select gpu, every.hour, job, team, active, seconds, work,
  case when lost then 'lost' when active = 1 then 'used' when job < 0 then 'free' when active = 0 then 'held_idle'
      else 'unobserved' end as cause,
  seconds * billed::double / 28800 as billed, seconds * effective::double / 28800 as effective,
  seconds * list::double / 28800 as list, seconds * contracted::double / 28800 as contracted
from every join {charges} c on c.node = gpu // 8 and c.hour = every.hour * 3600
