-- The period of a total: the window, where it is open all stored time.
select case when @from = '-infinity' then stored.first else @from end as period_start,
       case when @to = 'infinity' then stored.last + interval '1 hour' else @to end as period_end
from (
  select least((select min(hour) from postings where tenant_id = @tenant), (select min(hour) from usage where tenant_id = @tenant)) as first,
         greatest((select max(hour) from postings where tenant_id = @tenant), (select max(hour) from usage where tenant_id = @tenant)) as last
) stored
