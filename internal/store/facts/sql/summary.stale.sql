-- The oldest hours to summarise, until their devices are $3: one at least.
select hour, marks
from (
  select hour, marks, sum(devices) over (order by hour) - devices as before
  from (
    select m.hour, m.marks, (select count(*) from devices d where d.tenant_id = $1 and d.first_hour <= m.hour and d.last_hour >= m.hour) as devices
    from (
      select hour, array_agg(mark_id) as marks
      from stale_hours
      where tenant_id = $1 and hour < $2
      group by hour
      order by hour
      limit 48
    ) m
  ) c
) h
where before < $3
order by hour
