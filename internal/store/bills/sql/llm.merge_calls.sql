insert into llm_calls as c (tenant_id, hour, call_id, dimension_id, tag_set, failed, cache_hit, prompt_tokens, cached_tokens, completion_tokens,
  latency_ms, first_token_ms, gateway_list_spend)
select $1, hour, call_id, max(dimension_id::text)::uuid, max(tag_set::text)::uuid, bool_or(failed), bool_or(cache_hit),
  max(prompt_tokens), max(cached_tokens), max(completion_tokens), max(latency_ms), max(first_token_ms), max(gateway_list_spend)
from next_llm_calls
group by hour, call_id
on conflict (tenant_id, hour, call_id) do update
set dimension_id = greatest(c.dimension_id, excluded.dimension_id), tag_set = greatest(c.tag_set, excluded.tag_set),
  failed = c.failed or excluded.failed, cache_hit = c.cache_hit or excluded.cache_hit,
  prompt_tokens = greatest(c.prompt_tokens, excluded.prompt_tokens), cached_tokens = greatest(c.cached_tokens, excluded.cached_tokens),
  completion_tokens = greatest(c.completion_tokens, excluded.completion_tokens), latency_ms = greatest(c.latency_ms, excluded.latency_ms),
  first_token_ms = greatest(c.first_token_ms, excluded.first_token_ms), gateway_list_spend = greatest(c.gateway_list_spend, excluded.gateway_list_spend)
where (c.dimension_id, c.tag_set, c.failed, c.cache_hit, c.prompt_tokens, c.cached_tokens, c.completion_tokens, c.latency_ms, c.first_token_ms, c.gateway_list_spend)
  is distinct from (greatest(c.dimension_id, excluded.dimension_id), greatest(c.tag_set, excluded.tag_set), c.failed or excluded.failed, c.cache_hit or excluded.cache_hit,
    greatest(c.prompt_tokens, excluded.prompt_tokens), greatest(c.cached_tokens, excluded.cached_tokens), greatest(c.completion_tokens, excluded.completion_tokens),
    greatest(c.latency_ms, excluded.latency_ms), greatest(c.first_token_ms, excluded.first_token_ms), greatest(c.gateway_list_spend, excluded.gateway_list_spend))
