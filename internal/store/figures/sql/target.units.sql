-- What a unit of a model cost: a million tokens where they are counted, else a
-- thousand requests.
insert into target_days (tenant_id, day, target, subject, unit, currency, numerator, denominator)
select $1, $2, 'unit_cost', s.model, u.unit, s.currency, u.cost, u.units
from (
  select model, currency,
         sum(effective_cost) filter (where counts_tokens) as token_cost, sum(coalesce(prompt_tokens, 0) + coalesce(generation_tokens, 0)) filter (where counts_tokens) as tokens,
         sum(effective_cost) filter (where counts_requests) as request_cost, sum(requests) filter (where counts_requests) as requests
  from serving_hours
  where tenant_id = $1 and hour >= $2 and hour < $2::timestamptz + interval '24 hours' and model <> '' and currency <> ''
  group by model, currency
) s
cross join lateral (
  select '1M tokens' as unit, s.token_cost as cost, s.tokens / 1e6 as units where s.tokens > 0
  union all
  select '1k requests', s.request_cost, s.requests / 1e3 where coalesce(s.tokens, 0) = 0 and s.requests > 0
) u
where u.cost is not null
