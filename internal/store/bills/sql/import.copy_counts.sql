copy import_counts (tenant_id, import_id, kind, reason, rows) from stdin (format binary)
