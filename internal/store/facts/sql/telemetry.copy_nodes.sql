copy next_nodes (tenant_id, cluster, name, instance_id, provider_id, labels, capacity, created_at, first_seen, last_seen, labels_at, capacity_at)
from stdin (format binary)
