copy next_nodes (tenant_id, node_id, cluster, name, provider_id, instance_id, labels, tags, appeared_at, gone_at,
  instance_type, region, zone, price_class, gpu_model, gpus, replicas, account, in_source, seen_by, owner_id, dark_days) from stdin (format binary)
