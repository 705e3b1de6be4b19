create temp table next_nodes (like nodes) on commit drop;
create temp table next_owners (like owners including defaults) on commit drop;
create temp table next_workloads (like workloads) on commit drop;
create temp table next_runs (like runs) on commit drop;
create temp table next_attempts (like attempts) on commit drop;
create temp table next_segments (like segments) on commit drop;
