select d.node_id, d.day, string_agg(distinct d.reason, '; ' order by d.reason) as reasons
from dirty d
where d.tenant_id = $1 and d.day < $3 and d.day + interval '1 day' > $2
group by d.node_id, d.day
order by d.day, d.node_id
