create temp table next_samples (like sample_hours) on commit drop;
alter table next_samples alter column vectors set storage external;
create temp table next_inference (like inference_hours) on commit drop;
create temp table next_evidence (like hold_evidence) on commit drop;
create temp table next_node_states (like node_state_hours) on commit drop;
create temp table next_sources (like source_hours) on commit drop;
create temp table next_pod_states (like pod_state_hours) on commit drop;
create temp table next_checkpoints (like checkpoints) on commit drop;
create temp table touched_names (cluster text, name text, hour timestamptz, reason text) on commit drop
