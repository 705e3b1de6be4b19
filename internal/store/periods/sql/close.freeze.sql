-- The node-hours in which a final posting lies on usage rows.
with hours as (
  select distinct p.node_id, p.hour
  from postings p join closing_parts c on c.part_id = p.part_id and c.hour = p.hour
  where p.tenant_id = $1 and p.hour >= $4 and p.hour <= $5 and p.usage_id is not null
), fresh as (
  insert into frozen_hours (tenant_id, node_id, hour, billing_account, billing_period)
  select $1, node_id, hour, $2, $3 from hours
  on conflict do nothing
  returning node_id, hour
)
update usage u set final = true
from fresh f
where u.tenant_id = $1 and u.node_id = f.node_id and u.hour = f.hour and u.hour >= $4 and u.hour <= $5 and not u.final
