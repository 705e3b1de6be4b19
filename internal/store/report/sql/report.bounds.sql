-- The period of a total: the window, where it is open all stored time.
select case when @from = '-infinity' then stored.first else @from end as period_start,
       case when @to = 'infinity' then stored.last + interval '1 hour' else @to end as period_end
from stored_hours stored
where stored.tenant_id = @tenant
