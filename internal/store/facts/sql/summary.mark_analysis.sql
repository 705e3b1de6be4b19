insert into stale_days (tenant_id, day, what)
select distinct $1::int, date_trunc('day', hour, 'UTC'), 'ledger' from unnest($2::timestamptz[]) hour
order by 2
