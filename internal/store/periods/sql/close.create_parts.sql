create temp table if not exists closing_parts (part_id uuid not null, hour timestamptz not null, node_id uuid, delivery_id uuid, charge_id uuid,
  provider text, account text, region text) on commit drop;
truncate closing_parts
