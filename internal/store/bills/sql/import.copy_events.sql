copy next_events (tenant_id, provider, instance_id, kind, detail, at, account, region, event_id) from stdin (format binary)
