-- Under which names models were served, and how each joined its model
-- (docs/figures.md 16.11).
select n.served_name, n.model, nullif(n.model_version, '') as model_version, n.joined_by, nullif(array_to_string(n.among, ', '), '') as among,
       min(n.day) as first_day, max(n.day) as last_day
from served_names n
where n.tenant_id = @tenant and n.day > @from - interval '1 day' and n.day < @to
group by 1, 2, 3, 4, 5
