copy next_sources (tenant_id, cluster, source, hour, minutes) from stdin (format binary)
