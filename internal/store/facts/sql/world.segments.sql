select cluster, namespace, pod, run, attempt, from_at, to_at, name, kind, group_name, outcome, reason, outcome_at, labels, labels_at, statement
from segment_facts where tenant_id = $1
order by cluster, namespace, pod, run, attempt, from_at
