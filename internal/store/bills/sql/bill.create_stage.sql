create temp table next_scopes (slot int not null, scope int not null,
  source_file text not null, billing_account text not null, account text not null, billing_period text not null, currency text not null) on commit drop;
create temp table next_items (slot int not null, item int not null,
  provider text not null, kind text not null, category text not null, class text,
  service_name text, service_code text, description text, usage_type text, operation text, line_item_type text,
  region text, zone text, instance_type text, price_class text, commitment_id text, usage_unit text,
  instance_hours boolean not null, bills_gpu boolean not null, marketplace boolean not null) on commit drop;
create temp table next_resources (slot int not null, resource int not null, resource_id text, instance_key text, instance_alias text) on commit drop;
create temp table next_tags (slot int not null, tag_set int not null, tags jsonb not null) on commit drop;
create temp table next_rows (slot int not null, charge_id uuid not null, line bigint not null, starts bigint not null, ends bigint not null,
  scope int not null, item int not null, resource int, tag_set int,
  effective bigint, billed bigint, list bigint, contracted bigint, usage bigint, credit bigint, instance_seconds bigint, exact numeric[]) on commit drop;
create temp table next_aggregates (slot int not null, charge_id uuid not null, scope int not null,
  lines bigint not null, line_ranges bigint[] not null, digest bytea not null) on commit drop;
create temp table next_splits (slot int not null, charge_id uuid not null, scope int not null,
  parent text not null, cluster text not null, namespace text not null, pod text not null, pod_uid text not null, resource text not null,
  used numeric, unused numeric) on commit drop;
create temp table next_instances (slot int not null, instance_key text not null,
  starts bigint not null, ends bigint not null, newest_starts bigint not null, charge_id uuid not null,
  scope int not null, item int not null, tag_set int, usage_amount numeric, effective_cost numeric, instance_seconds bigint) on commit drop
