copy next_tag_sets (tenant_id, tag_set_id, tags) from stdin (format binary)
