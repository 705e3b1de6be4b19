-- Staging of an import before it is merged.

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

-- name: telemetry.copy_merged
copy merged_vectors (n, first_second, last_second, vectors) from stdin (format binary)

-- name: telemetry.create_changed
create temp table changed_samples (cluster text, device text, hour timestamptz, slice_id int, profile text,
  node text, device_index int, model text, first_at timestamptz, last_at timestamptz) on commit drop

-- name: telemetry.create_merged
create temp table if not exists merged_vectors (n bigint, first_second int, last_second int, vectors bytea)
  on commit drop;
truncate merged_vectors

-- name: telemetry.create_next
create temp table :next (like :table including storage) on commit drop

-- name: telemetry.create_stage
create temp table touched_names (cluster text, name text, hour timestamptz, reason text) on commit drop;
create temp table touched (node_id uuid, from_at timestamptz, to_at timestamptz, reason text) on commit drop

-- name: telemetry.fetch_versions
fetch 2000 from versions

-- name: telemetry.staged_sources
select hour, bit_or(minutes) as minutes from next_sources
where tenant_id = $1 and cluster = $2 and source = $3 group by hour order by hour
