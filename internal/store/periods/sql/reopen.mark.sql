insert into dirty (tenant_id, node_id, day, mark_id, reason)
select distinct $1::int, coalesce(node_id, '00000000-0000-0000-0000-000000000000'), date_trunc('day', hour, 'UTC'), $2::bigint, 'reopened'
from closing_parts
order by 2, 3
