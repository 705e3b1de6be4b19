-- What allocation knows of machines; of several under one name the newest.
select distinct on (n.cluster, n.name) n.cluster, n.name, coalesce(n.instance_type, ''), coalesce(n.region, ''), coalesce(n.zone, ''), coalesce(n.price_class, '')
from unnest($2::text[], $3::text[]) as w (cluster, name)
join nodes n on n.tenant_id = $1 and n.cluster = w.cluster and n.name = w.name
order by n.cluster, n.name, n.appeared_at desc nulls last
