create temp table touched_names (cluster text, name text, hour timestamptz, reason text) on commit drop;
create temp table touched (node_id uuid, from_at timestamptz, to_at timestamptz, reason text) on commit drop
