-- From the first hour in which anything ran to the last second that was seen;
-- of money alone where nothing ran. Fees and taxes that are spread over a
-- month do not count as running. Of posting_rows: the ends of an index are not seen through a view.
select case when u.first is null then p.first else u.first end, case when u.first is null then p.last else u.last end, n.seen
from (select min(hour) as first, max(hour) + interval '1 hour' as last from usage where tenant_id = $1) u,
     (select min(hour) as first, max(hour) + interval '1 hour' as last from posting_rows where tenant_id = $1) p,
     (select max(gone_at) as seen from nodes where tenant_id = $1) n
