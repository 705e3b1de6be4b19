insert into node_facts select * from next_nodes where tenant_id = $1
on conflict (tenant_id, cluster, name, instance_id) do update
set provider_id = excluded.provider_id, labels = excluded.labels, capacity = excluded.capacity, created_at = excluded.created_at,
  first_seen = excluded.first_seen, last_seen = excluded.last_seen, labels_at = excluded.labels_at, capacity_at = excluded.capacity_at
