select f.cluster, f.name, f.instance_id, f.provider_id, f.labels, f.capacity, f.created_at, f.first_seen, f.last_seen, f.labels_at, f.capacity_at
from unnest($2::text[], $3::text[], $4::text[]) k (cluster, name, instance_id)
join node_facts f on f.tenant_id = $1 and f.cluster = k.cluster and f.name = k.name and f.instance_id = k.instance_id
