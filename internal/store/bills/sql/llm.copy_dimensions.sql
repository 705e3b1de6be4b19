copy next_llm_dimensions (tenant_id, dimension_id, source, provider, model, model_group, team, key_alias, "user") from stdin (format binary)
