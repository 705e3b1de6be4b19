insert into instance_events (tenant_id, provider, instance_id, kind, detail, at, account, region, event_id)
select distinct on (provider, instance_id, kind, detail, at, account) tenant_id, provider, instance_id, kind, detail, at, account, region, event_id
from next_events
where tenant_id = $1
order by provider, instance_id, kind, detail, at, account, event_id
on conflict do nothing
