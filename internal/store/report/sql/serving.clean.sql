-- The days that are as the ledger is now, from $2 to $3, of the months in which
-- anything was served, and whether their months are there.
select d.day, exists (select from serving_services s where s.tenant_id = $1 and s.span = 'month' and s.at = date_trunc('month', d.day, 'UTC'))
from (
  select generate_series(greatest(date_trunc('month', b.first, 'UTC'), $2::timestamptz), least(b.last, $3::timestamptz - interval '1 microsecond'), interval '24 hours') as day
  from (select min(at) as first, max(at) as last from serving_services where tenant_id = $1 and span = 'day') b
  where b.first is not null
) d
where d.day not in (
    select day from stale_days where tenant_id = $1 and what in ('ledger', 'counters')
    union all select day from analysis_days where tenant_id = $1 and step = 'serving'
    union all select day from dirty where tenant_id = $1)
order by d.day
