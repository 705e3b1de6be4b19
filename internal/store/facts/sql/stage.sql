-- What an import stages before it is merged.

-- name: experiment.copy_results
copy next_experiment_results (tenant_id, result_id, experiment, run, metric, value, baseline, threshold, lower_is_better, at, import_id) from stdin (format binary)

-- name: experiment.create_stage
create temp table next_experiment_results (like experiment_results) on commit drop

-- name: telemetry.analyze_counter_conflicts
analyze counter_conflicts

-- name: telemetry.analyze_counters
analyze next_counters (tenant_id, cluster, namespace, pod, hour)

-- name: telemetry.analyze_evidence
analyze next_evidence

-- name: telemetry.analyze_sample_conflicts
analyze sample_conflicts

-- name: telemetry.analyze_samples
analyze next_samples (tenant_id, cluster, device, hour, slice_id, profile, node)

-- name: telemetry.copy_checkpoints
copy next_checkpoints (tenant_id, cluster, namespace, pod, run, at, step, took, statement) from stdin (format binary)

-- name: telemetry.copy_conflicts
copy next_conflicts (tenant_id, what, cluster, subject, value) from stdin (format binary)

-- name: telemetry.copy_counters
copy next_counters (tenant_id, cluster, namespace, pod, server, model, engine, hour, vectors) from stdin (format binary)

-- name: telemetry.copy_devices
copy next_devices (tenant_id, cluster, node, device, device_index, model, in_mig, registered, first_at, last_at) from stdin (format binary)

-- name: telemetry.copy_events
copy next_events (tenant_id, cluster, kind, namespace, name, uid, what, at, reason) from stdin (format binary)

-- name: telemetry.copy_evidence
copy next_evidence (tenant_id, cluster, device, slice_id, namespace, pod, hour, node, minutes) from stdin (format binary)

-- name: telemetry.copy_merged
copy merged_vectors (n, first_second, last_second, vectors) from stdin (format binary)

-- name: telemetry.copy_node_states
copy next_node_states (tenant_id, cluster, name, state, hour, minutes, known) from stdin (format binary)

-- name: telemetry.copy_nodes
copy next_nodes (tenant_id, cluster, name, instance_id, provider_id, labels, capacity, created_at, first_seen, last_seen, labels_at, capacity_at)
from stdin (format binary)

-- name: telemetry.copy_objects
copy next_objects (tenant_id, cluster, kind, namespace, name, created_at, owner_kind, owner_name, labels, attrs, labels_at, attrs_at)
from stdin (format binary)

-- name: telemetry.copy_placements
copy next_placements (tenant_id, cluster, workload, evidence, node, device, slice_id, from_at, to_at, core_share, memory_share) from stdin (format binary)

-- name: telemetry.copy_pod_states
copy next_pod_states (tenant_id, cluster, uid, hour, minutes) from stdin (format binary)

-- name: telemetry.copy_samples
copy next_samples (tenant_id, cluster, device, hour, slice_id, profile, node, device_index, model, first_at, last_at, row_count, vectors)
from stdin (format binary)

-- name: telemetry.copy_segments
copy next_segments (tenant_id, cluster, namespace, pod, run, attempt, from_at, to_at, name, kind, group_name, outcome, reason, outcome_at, labels, labels_at, statement)
from stdin (format binary)

-- name: telemetry.copy_sources
copy next_sources (tenant_id, cluster, source, hour, minutes) from stdin (format binary)

-- name: telemetry.copy_workloads
copy next_workloads (tenant_id, cluster, uid, namespace, name, node, owner_kind, owner_name, labels, requests,
  created_at, scheduled_at, started_at, completed_at, deleted_at, terminal_at, phase, first_seen, last_seen,
  status_reason, terminated_reason, disruption_reason, labels_at, requests_at,
  system, eligible_at, outcome, outcome_reason, outcome_at, statement, asked_units, asked_replicas) from stdin (format binary)

-- name: telemetry.create_changed
create temp table changed_samples (cluster text, device text, hour timestamptz, slice_id int, profile text,
  node text, device_index int, model text, first_at timestamptz, last_at timestamptz) on commit drop

-- name: telemetry.create_merged
create temp table if not exists merged_vectors (n bigint, first_second int, last_second int, vectors bytea) on commit drop;
truncate merged_vectors

-- name: telemetry.create_next
create temp table :next (like :table including storage) on commit drop

-- name: telemetry.create_stage
create temp table touched_names (cluster text, name text, hour timestamptz, reason text) on commit drop;
create temp table touched (node_id uuid, from_at timestamptz, to_at timestamptz, reason text) on commit drop

-- name: telemetry.fetch_versions
fetch 2000 from versions

-- name: telemetry.staged_sources
select hour, bit_or(minutes) from next_sources where tenant_id = $1 and cluster = $2 and source = $3 group by hour order by hour

-- name: telemetry.stored_nodes
select f.cluster, f.name, f.instance_id, f.provider_id, f.labels, f.capacity, f.created_at, f.first_seen, f.last_seen, f.labels_at, f.capacity_at
from unnest($2::text[], $3::text[], $4::text[]) k (cluster, name, instance_id)
join node_facts f on f.tenant_id = $1 and f.cluster = k.cluster and f.name = k.name and f.instance_id = k.instance_id

-- name: telemetry.stored_objects
select o.cluster, o.kind, o.namespace, o.name, o.created_at, o.owner_kind, o.owner_name, o.labels, o.attrs, o.labels_at, o.attrs_at
from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]) k (cluster, kind, namespace, name, created_at)
join objects o on o.tenant_id = $1 and o.cluster = k.cluster and o.kind = k.kind and o.namespace = k.namespace and o.name = k.name
  and o.created_at = k.created_at

-- name: telemetry.stored_segments
select s.cluster, s.namespace, s.pod, s.run, s.attempt, s.from_at, s.to_at, s.name, s.kind, s.group_name, s.outcome, s.reason, s.outcome_at, s.labels, s.labels_at, s.statement
from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::timestamptz[]) k (cluster, namespace, pod, run, attempt, from_at)
join segment_facts s on s.tenant_id = $1 and s.cluster = k.cluster and s.namespace = k.namespace and s.pod = k.pod and s.run = k.run
  and s.attempt = k.attempt and s.from_at = k.from_at

-- name: telemetry.stored_workloads
select p.cluster, p.uid, p.namespace, p.name, p.node, p.owner_kind, p.owner_name, p.labels, p.requests,
  p.created_at, p.scheduled_at, p.started_at, p.completed_at, p.deleted_at, p.terminal_at, p.phase, p.first_seen, p.last_seen,
  p.status_reason, p.terminated_reason, p.disruption_reason, p.labels_at, p.requests_at,
  p.system, p.eligible_at, p.outcome, p.outcome_reason, p.outcome_at, p.statement
from unnest($2::text[], $3::text[]) k (cluster, uid)
join workload_facts p on p.tenant_id = $1 and p.cluster = k.cluster and p.uid = k.uid
