-- What a calculation is to compute: what was marked before it began, and what
-- it marked itself. Marks that came since are the next one's: it has not read
-- all that they stand for. Days whose minutes are no longer kept, and the day
-- after them, stay as they are.
select node_id, day, max(mark_id)
from dirty
where tenant_id = $1 and (mark_id <= $4 or calculation_id = $5)
  and (day > coalesce((select r.dropped_before from sample_retention r where r.tenant_id = $1), '-infinity')
    or node_id = '00000000-0000-0000-0000-000000000000') -- what has no node needs no minutes
  and ($2::timestamptz is null or day + interval '1 day' > $2) and ($3::timestamptz is null or day < $3)
group by node_id, day
order by node_id, day
