copy next_workloads (tenant_id, workload_id, cluster, namespace, name, uid, kind, service, owner_name, class,
  node_id, hold_from, hold_to, outcome, reason, run_id, owner_id, labels) from stdin (format binary)
