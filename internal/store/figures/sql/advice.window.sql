-- The newest $2 days of demand, as far as hours are stored.
select greatest(d.first_day, (select min(u.hour) from usage u where u.tenant_id = $1 and u.hour >= d.first_day and u.hour < d.first_day + interval '1 day')),
  (select max(u.hour) + interval '1 hour' from usage u where u.tenant_id = $1 and u.hour >= d.last_day and u.hour < d.last_day + interval '1 day')
from (
  select greatest(min(day), max(day) + interval '1 day' - make_interval(days => $2)) as first_day, max(day) as last_day
  from demand_days where tenant_id = $1
) d
where d.last_day is not null
