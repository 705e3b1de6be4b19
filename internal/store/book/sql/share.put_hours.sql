insert into share_hours (tenant_id, day, cluster, owner_id, held, used)
select $1, g.day, coalesce(n.cluster, ''), g.owner_id, sum(g.held), sum(g.used)
from (
  select date_trunc('day', u.hour, 'UTC') as day, u.node_id, u.owner_id,
    sum(u.gpu_hours) as held, coalesce(sum(u.gpu_hours) filter (where u.cause = 'used'), 0) as used
  from usage u
  where u.tenant_id = $1 and u.hour >= $3 and u.hour < $4 and date_trunc('day', u.hour, 'UTC') = any($2) and u.held and u.cause <> 'host'
  group by 1, 2, 3
) g
left join nodes n on n.tenant_id = $1 and n.node_id = g.node_id
group by 2, 3, 4
