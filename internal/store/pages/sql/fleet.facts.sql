-- What sources say of machines, for those that allocation has not seen yet.
select f.cluster, f.name, f.provider_id, f.labels
from unnest($2::text[], $3::text[]) as w (cluster, name)
join node_facts f on f.tenant_id = $1 and f.cluster = w.cluster and f.name = w.name
order by f.cluster, f.name, f.last_seen
