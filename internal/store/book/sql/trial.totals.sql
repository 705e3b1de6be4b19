-- What teams pay after sharing, apart from discounts of commitments. Whole days,
-- because they are what is computed again.
select coalesce(o.team, ''), p.cause, p.currency, sum(p.effective_cost), sum(p.billed_cost), sum(p.gpu_hours)
from (
  select owner_id, cause, currency, sum(effective_cost) as effective_cost, sum(billed_cost) as billed_cost, sum(gpu_hours) as gpu_hours
  from postings
  where tenant_id = $1 and state <> 'final'
    and ($2::timestamptz is null or hour >= date_trunc('day', $2::timestamptz, 'UTC'))
    and ($3::timestamptz is null or hour < date_trunc('day', $3::timestamptz + interval '1 day' - interval '1 microsecond', 'UTC'))
  group by owner_id, cause, currency
  union all
  select owner_id, cause, currency, sum(effective_cost), sum(billed_cost), null
  from shares
  where tenant_id = $1 and state <> 'final' and commitment is null
    and ($2::timestamptz is null or hour >= date_trunc('day', $2::timestamptz, 'UTC'))
    and ($3::timestamptz is null or hour < date_trunc('day', $3::timestamptz + interval '1 day' - interval '1 microsecond', 'UTC'))
  group by owner_id, cause, currency
) p
left join owners o on o.tenant_id = $1 and o.owner_id = p.owner_id
group by 1, 2, 3
