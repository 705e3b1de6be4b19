copy next_sources (tenant_id, cluster, hour, minutes) from stdin (format binary)
