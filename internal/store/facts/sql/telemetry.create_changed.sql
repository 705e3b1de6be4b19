create temp table changed_samples (cluster text, device text, hour timestamptz, slice_id int, profile text,
  node text, device_index int, model text, first_at timestamptz, last_at timestamptz) on commit drop
