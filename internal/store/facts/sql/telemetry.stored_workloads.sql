select p.cluster, p.uid, p.namespace, p.name, p.node, p.owner_kind, p.owner_name, p.labels, p.requests,
  p.created_at, p.scheduled_at, p.started_at, p.completed_at, p.deleted_at, p.terminal_at, p.phase, p.first_seen, p.last_seen,
  p.status_reason, p.terminated_reason, p.disruption_reason, p.labels_at, p.requests_at,
  p.system, p.eligible_at, p.outcome, p.outcome_reason, p.outcome_at, p.statement
from unnest($2::text[], $3::text[]) k (cluster, uid)
join workload_facts p on p.tenant_id = $1 and p.cluster = k.cluster and p.uid = k.uid
