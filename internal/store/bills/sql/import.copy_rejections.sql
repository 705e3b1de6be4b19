copy rejections (tenant_id, import_id, ordinal, file, line, col, reason, detail) from stdin (format binary)
