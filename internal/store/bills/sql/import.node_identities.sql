select f.name, f.provider_id, f.first_seen, f.last_seen
from node_facts f
where f.tenant_id = $1 and f.cluster = $2 and f.name = any ($3)
order by f.name, f.instance_id
