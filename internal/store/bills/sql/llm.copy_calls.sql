copy next_llm_calls (tenant_id, hour, call_id, dimension_id, tag_set, failed, cache_hit, prompt_tokens, cached_tokens, completion_tokens,
  latency_ms, first_token_ms, gateway_list_spend) from stdin (format binary)
