-- Months of which all days are there, and that are not there themselves.
select m.month from (
  select date_trunc('month', day, 'UTC') as month, count(*) as days from rolled_days where tenant_id = $1 group by 1
) m
where m.days = extract(day from (m.month at time zone 'UTC') + interval '1 month' - interval '1 day')
  and not exists (select from rolled_months r where r.tenant_id = $1 and r.month = m.month)
order by 1
