-- What keeps the minutes of the month [$2, $3), in the words of the journal;
-- empty where nothing does.
select coalesce((select 'not summarised yet' where exists (select from stale_hours where tenant_id = $1 and hour >= $2 and hour < $3)),
  (select 'not allocated yet' where exists (
    select from dirty d where d.tenant_id = $1 and d.day >= $2 and d.day <= $3
      and d.day > coalesce((select r.dropped_before from sample_retention r where r.tenant_id = $1), '-infinity'))),
  (select 'billing month not closed: ' || string_agg(a.billing_account, ', ' order by a.billing_account)
   from (select distinct s.billing_account from charge_scopes s where s.tenant_id = $1 and s.billing_period = to_char($2 at time zone 'UTC', 'YYYY-MM')) a
   where not exists (select from period_states p where p.tenant_id = $1 and p.calendar = 'billing' and p.name = to_char($2 at time zone 'UTC', 'YYYY-MM')
     and p.billing_account = a.billing_account and p.state = 'closed')), '')
