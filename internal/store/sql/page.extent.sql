-- First service hour with any posting or usage, and the end of the last one.
select min(first), max(last) + interval '1 hour'
from (
  select min(hour) as first, max(hour) as last from postings where tenant_id = $1
  union all
  select min(hour), max(hour) from usage where tenant_id = $1
) stored
