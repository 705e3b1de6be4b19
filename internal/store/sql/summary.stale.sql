-- Hours to summarise, the oldest first; those whose minutes are no longer kept stay as they are.
select hour, array_agg(mark_id)
from stale_hours
where tenant_id = $1 and hour < $2
group by hour
order by hour
limit 24
