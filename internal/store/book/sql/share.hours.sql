select s.cluster, s.owner_id, coalesce(o.team, ''), sum(s.held), sum(s.used)
from share_hours s left join owners o on o.tenant_id = s.tenant_id and o.owner_id = s.owner_id
where s.tenant_id = $1 and s.day >= $2 and s.day < $3
group by 1, 2, 3
