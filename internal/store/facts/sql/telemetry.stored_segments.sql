select s.cluster, s.namespace, s.pod, s.run, s.attempt, s.from_at, s.to_at, s.name, s.kind, s.group_name, s.outcome, s.reason, s.outcome_at, s.labels, s.labels_at, s.statement
from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::timestamptz[]) k (cluster, namespace, pod, run, attempt, from_at)
join segment_facts s on s.tenant_id = $1 and s.cluster = k.cluster and s.namespace = k.namespace and s.pod = k.pod and s.run = k.run
  and s.attempt = k.attempt and s.from_at = k.from_at
