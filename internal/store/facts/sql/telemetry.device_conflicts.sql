insert into fact_conflicts as c (tenant_id, what, cluster, subject, value, first_hour, last_hour)
select $1, $2, cluster, device, lost_node, min(hour), max(hour)
from device_clashes
where clash
group by cluster, device, lost_node
on conflict (tenant_id, what, cluster, subject, value) do update
set first_hour = least(c.first_hour, excluded.first_hour), last_hour = greatest(c.last_hour, excluded.last_hour)
where excluded.first_hour < c.first_hour or excluded.last_hour > c.last_hour
