insert into segment_facts select * from next_segments where tenant_id = $1
on conflict (tenant_id, cluster, namespace, pod, run, attempt, from_at) do update
set to_at = excluded.to_at, name = excluded.name, kind = excluded.kind, group_name = excluded.group_name, outcome = excluded.outcome,
  reason = excluded.reason, outcome_at = excluded.outcome_at, labels = excluded.labels, labels_at = excluded.labels_at, statement = excluded.statement
