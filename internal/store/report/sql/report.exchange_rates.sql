-- Rates to one currency with the days for which they hold: from their own day
-- until the next of the pair. Of two for the same day the one stored later counts.
select r.from_currency, r.to_currency, r.day as starts,
       lead(r.day, 1, 'infinity'::date) over (partition by r.from_currency order by r.day) as ends, r.rate, r.rate_id
from (
  select distinct on (e.from_currency, e.day) e.from_currency, e.to_currency, e.day, e.rate,
         concat(e.version, '/', e.from_currency, '-', e.to_currency, '/', to_char(e.day, 'YYYY-MM-DD')) collate "C" as rate_id
  from exchange_rates e
  join policy_versions v on v.tenant_id = e.tenant_id and v.version = e.version
  where e.tenant_id = @tenant and e.to_currency = @currency and v.withdrawn_at is null
  order by e.from_currency, e.day, v.created_at desc, v.version desc
) r
