-- The runs of holders on a page of machines; of several under one name the newest.
select distinct on (w.cluster, w.namespace, w.name) w.cluster, w.namespace, w.name, w.run_id, coalesce(r.name, '')
from unnest($2::text[], $3::text[]) as a (cluster, name)
join nodes n on n.tenant_id = $1 and n.cluster = a.cluster and n.name = a.name
join workloads w on w.tenant_id = $1 and w.node_id = n.node_id and w.name = any($4) and w.run_id is not null
left join runs r on r.tenant_id = $1 and r.run_id = w.run_id
order by w.cluster, w.namespace, w.name, w.hold_from desc nulls last
