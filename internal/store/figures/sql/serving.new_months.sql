-- Months that are over and not added up yet.
select m.month from (
  select distinct date_trunc('month', at, 'UTC') as month from serving_services where tenant_id = $1 and span = 'day'
) m
where (m.month at time zone 'UTC' + interval '1 month') at time zone 'UTC' - interval '24 hours' <= (select max(at) from serving_services where tenant_id = $1 and span = 'day')
  and not exists (select from serving_services s where s.tenant_id = $1 and s.span = 'month' and s.at = m.month)
order by 1
