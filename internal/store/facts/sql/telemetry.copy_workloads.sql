copy next_workloads (tenant_id, cluster, uid, namespace, name, node, owner_kind, owner_name, labels, requests,
  created_at, scheduled_at, started_at, completed_at, deleted_at, terminal_at, phase, first_seen, last_seen,
  status_reason, terminated_reason, disruption_reason, labels_at, requests_at,
  system, eligible_at, outcome, outcome_reason, outcome_at, statement, asked_units, asked_replicas) from stdin (format binary)
