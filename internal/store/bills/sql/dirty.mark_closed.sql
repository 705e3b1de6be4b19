-- Closing and reopening change nothing of a covered hour but whether it carries a
-- provisional cost.
insert into dirty (tenant_id, node_id, day, mark_id, reason)
select distinct $1::int, p.node_id, date_trunc('day', p.hour, 'UTC'), $2::bigint, 'closed'
from touched t
join parts p on p.tenant_id = $1 and p.node_id = t.node_id and p.hour >= date_trunc('hour', t.from_at, 'UTC') and p.hour < t.to_at
where p.kind = 'provisional'
order by 2, 3
