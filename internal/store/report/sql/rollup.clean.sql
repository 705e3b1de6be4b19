-- The days that are as the ledger is now, from $2 to $3, and whether their
-- months are there.
select r.day, exists (select from rolled_months m where m.tenant_id = $1 and m.month = date_trunc('month', r.day, 'UTC'))
from rolled_days r
where r.tenant_id = $1 and r.day >= $2 and r.day < $3
  and r.day not in (
    select day from stale_days where tenant_id = $1 and what = 'ledger'
    union all select day from analysis_days where tenant_id = $1 and step = 'costs'
    union all select day from dirty where tenant_id = $1)
order by r.day
