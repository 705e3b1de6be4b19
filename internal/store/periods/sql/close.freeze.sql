-- The node-hours in which a final posting lies on usage rows.
insert into frozen_hours (tenant_id, node_id, hour, billing_account, billing_period)
select distinct $1::int, p.node_id, p.hour, $2, $3
from postings p join closing_parts c on c.part_id = p.part_id and c.hour = p.hour
where p.tenant_id = $1 and p.hour >= $4 and p.hour <= $5 and p.usage_id is not null
on conflict do nothing
