-- AI calls by use: staged, merged, counted.

-- name: llm.copy_calls
copy next_llm_calls (tenant_id, hour, call_id, dimension_id, tag_set, failed, cache_hit, prompt_tokens, cached_tokens,
  completion_tokens,
  latency_ms, first_token_ms, gateway_list_spend) from stdin (format binary)

-- name: llm.copy_dimensions
copy next_llm_dimensions (tenant_id, dimension_id, source, provider, model, model_group, team, key_alias, "user")
from stdin (format binary)

-- name: llm.copy_tags
copy next_llm_tags (tenant_id, tag_set, tags) from stdin (format binary)

-- name: llm.count_new
select count(*)
from (select distinct hour, call_id from next_llm_calls) n
where not exists (select from llm_calls c where c.tenant_id = $1 and c.hour = n.hour and c.call_id = n.call_id)

-- name: llm.create_stage
create temp table next_llm_calls (like llm_calls) on commit drop;
create temp table next_llm_dimensions (like llm_dimensions) on commit drop;
create temp table next_llm_tags (like llm_tags) on commit drop

-- name: llm.merge_calls
insert into llm_calls as c (tenant_id, hour, call_id, dimension_id, tag_set, failed, cache_hit, prompt_tokens,
    cached_tokens, completion_tokens,
  latency_ms, first_token_ms, gateway_list_spend)
select $1, hour, call_id, max(dimension_id::text)::uuid, max(tag_set::text)::uuid, bool_or(failed), bool_or(cache_hit),
  max(prompt_tokens), max(cached_tokens), max(completion_tokens), max(latency_ms), max(first_token_ms),
  max(gateway_list_spend)
from next_llm_calls
group by hour, call_id
on conflict (tenant_id, hour, call_id) do update
set dimension_id = greatest(c.dimension_id, excluded.dimension_id), tag_set = greatest(c.tag_set, excluded.tag_set),
  failed = c.failed or excluded.failed, cache_hit = c.cache_hit or excluded.cache_hit,
  prompt_tokens = greatest(c.prompt_tokens, excluded.prompt_tokens),
  cached_tokens = greatest(c.cached_tokens, excluded.cached_tokens),
  completion_tokens = greatest(c.completion_tokens, excluded.completion_tokens),
  latency_ms = greatest(c.latency_ms, excluded.latency_ms),
  first_token_ms = greatest(c.first_token_ms, excluded.first_token_ms),
  gateway_list_spend = greatest(c.gateway_list_spend, excluded.gateway_list_spend)
where (c.dimension_id, c.tag_set, c.failed, c.cache_hit, c.prompt_tokens, c.cached_tokens, c.completion_tokens,
    c.latency_ms, c.first_token_ms, c.gateway_list_spend)
  is distinct from (greatest(c.dimension_id, excluded.dimension_id), greatest(c.tag_set, excluded.tag_set),
    c.failed or excluded.failed, c.cache_hit or excluded.cache_hit,
    greatest(c.prompt_tokens, excluded.prompt_tokens), greatest(c.cached_tokens, excluded.cached_tokens),
    greatest(c.completion_tokens, excluded.completion_tokens),
    greatest(c.latency_ms, excluded.latency_ms), greatest(c.first_token_ms, excluded.first_token_ms),
    greatest(c.gateway_list_spend, excluded.gateway_list_spend))

-- name: llm.merge_dimensions
insert into llm_dimensions select distinct * from next_llm_dimensions where tenant_id = $1 on conflict do nothing

-- name: llm.merge_tags
insert into llm_tags select distinct on (tag_set) * from next_llm_tags where tenant_id = $1 order by tag_set
on conflict do nothing
