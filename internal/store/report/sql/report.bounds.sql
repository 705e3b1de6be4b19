-- The period of a total: the window, where it is open all stored time. Of posting_rows:
-- the ends of an index are not seen through a view.
select case when @from = '-infinity' then stored.first else @from end as period_start,
       case when @to = 'infinity' then stored.last + interval '1 hour' else @to end as period_end
from (
  select least((select min(hour) from posting_rows where tenant_id = @tenant), (select min(hour) from usage where tenant_id = @tenant)) as first,
         greatest((select max(hour) from posting_rows where tenant_id = @tenant), (select max(hour) from usage where tenant_id = @tenant)) as last
) stored
