-- What served names came to, whatever the day, with the last of their days.
select n.served_name, n.model, n.model_version, n.joined_by, n.among, max(n.day)
from served_names n
where n.tenant_id = $1
group by 1, 2, 3, 4, 5
order by 1, 2, 4, 3, 5
