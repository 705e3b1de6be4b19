create temp table touched_parts (node_id uuid, day timestamptz) on commit drop
