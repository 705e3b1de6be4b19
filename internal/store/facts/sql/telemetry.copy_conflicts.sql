copy next_conflicts (tenant_id, what, cluster, subject, value) from stdin (format binary)
