select cluster, node, from_at, to_at from node_stretches
where tenant_id = $1
order by cluster, node, from_at
