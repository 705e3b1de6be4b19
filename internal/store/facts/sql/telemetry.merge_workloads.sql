insert into workload_facts select * from next_workloads where tenant_id = $1
on conflict (tenant_id, cluster, uid) do update
set namespace = excluded.namespace, name = excluded.name, node = excluded.node, owner_kind = excluded.owner_kind, owner_name = excluded.owner_name,
  labels = excluded.labels, requests = excluded.requests, created_at = excluded.created_at, scheduled_at = excluded.scheduled_at,
  started_at = excluded.started_at, completed_at = excluded.completed_at, deleted_at = excluded.deleted_at, terminal_at = excluded.terminal_at,
  phase = excluded.phase, first_seen = excluded.first_seen, last_seen = excluded.last_seen, status_reason = excluded.status_reason,
  terminated_reason = excluded.terminated_reason, disruption_reason = excluded.disruption_reason,
  labels_at = excluded.labels_at, requests_at = excluded.requests_at, system = excluded.system, eligible_at = excluded.eligible_at,
  outcome = excluded.outcome, outcome_reason = excluded.outcome_reason, outcome_at = excluded.outcome_at, statement = excluded.statement,
  asked_units = excluded.asked_units, asked_replicas = excluded.asked_replicas
