copy next_segments (tenant_id, cluster, namespace, pod, run, attempt, from_at, to_at, name, kind, group_name, outcome, reason, outcome_at, labels, labels_at, statement)
from stdin (format binary)
