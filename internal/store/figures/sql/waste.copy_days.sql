copy waste_days (tenant_id, day, scope, subject_id, trace) from stdin (format binary)
