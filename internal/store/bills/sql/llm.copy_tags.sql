copy next_llm_tags (tenant_id, tag_set, tags) from stdin (format binary)
