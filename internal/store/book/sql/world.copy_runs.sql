copy next_runs (tenant_id, run_id, group_id, cluster, namespace, name, root_kind, kind, status, created_at, started_at, ended_at,
  attempts, preemptions, world, queue_wait_seconds, budget, owner_id, max_cost, labels) from stdin (format binary)
