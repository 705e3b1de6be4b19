copy next_pods (tenant_id, cluster, uid, namespace, name, node, owner_kind, owner_name, labels, requests,
  created_at, scheduled_at, started_at, completed_at, deleted_at, terminal_at, phase, first_seen, last_seen,
  status_reason, terminated_reason, disruption_reason, labels_at, requests_at) from stdin (format binary)
