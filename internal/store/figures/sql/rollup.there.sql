-- How many days of a span are there, and which of its months.
select (select count(*) from rolled_days where tenant_id = $1 and day >= $2 and day < $3),
  array(select month from rolled_months where tenant_id = $1 and month >= date_trunc('month', $2::timestamptz, 'UTC') and month < $3 order by month)
