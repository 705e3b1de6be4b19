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

-- name: telemetry.copy_placements
copy next_placements (tenant_id, cluster, workload, evidence, node, device, slice_id, from_at, to_at, core_share, memory_share) from stdin (format binary)

-- name: telemetry.copy_pod_states
copy next_pod_states (tenant_id, cluster, uid, hour, minutes) from stdin (format binary)

-- name: telemetry.copy_samples
copy next_samples (tenant_id, cluster, device, hour, slice_id, profile, node, device_index, model, first_at, last_at, row_count, vectors)
from stdin (format binary)

-- name: telemetry.copy_sources
copy next_sources (tenant_id, cluster, source, hour, minutes) from stdin (format binary)

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
select hour, bit_or(minutes) as minutes from next_sources where tenant_id = $1 and cluster = $2 and source = $3 group by hour order by hour
