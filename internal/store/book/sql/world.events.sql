select provider, instance_id, kind, detail, at, account, region, event_id from instance_events where tenant_id = $1
order by provider, instance_id, at, kind, detail, account
