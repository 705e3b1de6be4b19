-- What runs held and what it cost, host not included.
select run_id, coalesce(currency, ''), coalesce(max(state) filter (where effective_cost is not null), ''), coalesce(sum(effective_cost), 0), coalesce(sum(gpu_hours), 0)
from postings
where tenant_id = $1 and run_id = any($2::text[]) and cause in ('used', 'held_idle', 'overhead', 'lost', 'unobserved')
group by run_id, coalesce(currency, '')
