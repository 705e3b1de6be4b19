select cluster, name, instance_id, provider_id, labels, capacity, created_at, first_seen, last_seen, labels_at, capacity_at
from node_facts where tenant_id = $1
order by cluster, name, instance_id
