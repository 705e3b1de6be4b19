-- The day after, too: its first rises count from the last samples before it.
insert into stale_days (tenant_id, day, what)
select distinct $1::int, date_trunc('day', n.hour, 'UTC') + d, 'counters'
from next_counters n cross join (values (interval '0'), (interval '1 day')) days (d)
order by 2
