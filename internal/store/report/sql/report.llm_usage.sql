-- Calls through gateways, added up by time and what they were about.
select u.period_start, d.source, nullif(d.provider, '') as provider, nullif(d.model, '') as model, nullif(d.model_group, '') as model_group,
       nullif(d.team, '') as team, nullif(d.key_alias, '') as key_alias, nullif(d."user", '') as "user",
       u.requests, u.failed, u.cache_hits, u.prompt_tokens, u.cached_tokens, u.completion_tokens, u.requests_without_tokens,
       u.gateway_list_spend, u.requests_without_spend, 'USD'::text as currency
from (
  select @period_start as period_start, p.dimension_id, count(*) as requests, count(*) filter (where p.failed) as failed,
         count(*) filter (where p.cache_hit) as cache_hits,
         sum(p.prompt_tokens)::bigint as prompt_tokens, sum(p.cached_tokens)::bigint as cached_tokens, sum(p.completion_tokens)::bigint as completion_tokens,
         count(*) filter (where p.prompt_tokens is null and p.completion_tokens is null) as requests_without_tokens,
         sum(p.gateway_list_spend) as gateway_list_spend, count(*) filter (where p.gateway_list_spend is null) as requests_without_spend
  from llm_calls p
  where p.tenant_id = @tenant and p.hour >= @from and p.hour < @to
  group by 1, 2
) u
join llm_dimensions d on d.tenant_id = @tenant and d.dimension_id = u.dimension_id
