-- The middle of what is stored of the window, by days with a ledger and a day
-- before; null where nothing is.
select s.first + (s.last - s.first + interval '1 hour') / 2 as middle
from (
  select least((select min(day) from chunks where tenant_id = @tenant and day >= @from - interval '1 day' and day < @to),
               (select min(day) + interval '23 hours' from chunks where tenant_id = @tenant and day >= @from - interval '47 hours' and day < @to - interval '23 hours')) as first,
         greatest((select max(day) from chunks where tenant_id = @tenant and day >= @from - interval '1 day' and day < @to),
                  (select max(day) + interval '23 hours' from chunks where tenant_id = @tenant and day >= @from - interval '47 hours' and day < @to - interval '23 hours')) as last
) s
