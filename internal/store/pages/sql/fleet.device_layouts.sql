-- Stretches of hours in which each slice was seen; two hours without a row end one.
select slice_id, profile, min(first_at), max(last_at)
from (
  select slice_id, profile, first_at, last_at, sum(fresh) over (partition by slice_id, profile order by hour) as stretch
  from (
    select slice_id, profile, hour, first_at, last_at,
      (hour > lag(hour, 1, hour) over (partition by slice_id, profile order by hour) + interval '2 hours')::int as fresh
    from sample_hours
    where tenant_id = $1 and cluster = $2 and device = $3
  ) h
) s
group by slice_id, profile, stretch
order by max(last_at) desc, slice_id, profile
limit 200
