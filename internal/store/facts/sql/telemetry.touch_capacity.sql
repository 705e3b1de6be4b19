insert into touched
select n.node_id, n.appeared_at, n.gone_at, 'capacity'
from unnest($2::text[], $3::text[]) m (cluster, name)
join nodes n on n.tenant_id = $1 and n.cluster = m.cluster and n.name = m.name
