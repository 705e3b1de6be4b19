copy next_events (tenant_id, cluster, kind, namespace, name, uid, what, at, reason) from stdin (format binary)
