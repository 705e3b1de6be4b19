-- What was billed: imports, deliveries, charges, rates.
set local lock_timeout = '5s';

create table imports (
  tenant_id   int  not null references tenants,
  import_id   uuid not null,
  source      text not null,
  uri         text not null,
  cluster     text,
  state       text not null check (state in ('running', 'published', 'unchanged', 'older', 'refused')),
  started_at  timestamptz not null,
  finished_at timestamptz,
  files       int    not null default 0,
  bytes       bigint not null default 0,
  rows_read   bigint not null default 0,
  accepted    bigint not null default 0,
  rejected    bigint not null default 0,
  ignored     bigint not null default 0,   -- rows of metrics that nothing uses, by name in import_counts
  message     text,
  primary key (tenant_id, import_id)
);

create table import_counts (
  tenant_id int not null, import_id uuid not null,
  kind      text not null check (kind in ('rejected', 'ignored')),
  reason    text not null,
  rows      bigint not null,
  primary key (tenant_id, import_id, kind, reason),
  foreign key (tenant_id, import_id) references imports on delete cascade
);

-- The first thousand rejections of an import, one by one; all are counted above.
create table rejections (
  tenant_id int not null, import_id uuid not null,
  ordinal   int not null,
  file text not null, line bigint not null, col text, reason text not null, detail text not null,
  primary key (tenant_id, import_id, ordinal),
  foreign key (tenant_id, import_id) references imports on delete cascade
);

create table deliveries (
  tenant_id     int  not null references tenants,
  delivery_id   uuid not null,
  import_id     uuid not null,
  source        text not null,
  export        text not null,
  scope         text not null,
  dataset       text not null,
  partition_key text not null,
  kind          text not null check (kind in ('snapshot', 'append')),
  rank          int  not null,
  delivered_at  timestamptz,
  execution_id  text,
  digest        bytea  not null,
  rows          bigint not null,
  columns       text[] not null,
  state         text not null check (state in ('current', 'superseded', 'older')),
  superseded_by uuid,
  published_at  timestamptz not null,
  fleet_digest  text not null default '',  -- of the fleet that its parts were last cut with
  primary key (tenant_id, delivery_id)
);
create unique index deliveries_current on deliveries (tenant_id, source, export, scope, dataset, partition_key) where state = 'current';

create table delivery_files (
  tenant_id int not null, delivery_id uuid not null,
  name text not null, sha256 bytea not null, bytes bigint not null, rows bigint not null,
  primary key (tenant_id, delivery_id, name),
  foreign key (tenant_id, delivery_id) references deliveries on delete cascade
);

create table control_totals (
  tenant_id int not null, delivery_id uuid not null,
  account text not null, billing_period text not null, currency text not null,
  metric text not null check (metric in ('effective_cost', 'billed_cost', 'list_cost', 'contracted_cost')),
  role text not null default 'book' check (role in ('book', 'evidence')),
  source_total numeric not null,
  charges bigint not null,
  primary key (tenant_id, delivery_id, account, billing_period, currency, metric),
  foreign key (tenant_id, delivery_id) references deliveries on delete cascade
);

create table tag_sets (
  tenant_id int not null, tag_set_id uuid not null, tags jsonb not null,
  primary key (tenant_id, tag_set_id)
);

create table charges (
  tenant_id int not null, delivery_id uuid not null, charge_id uuid not null,
  billing_month timestamptz not null,      -- start of the billing period, for partitions
  billing_period text not null,
  source_file text not null, line bigint not null,
  provider text not null, billing_account text not null, account text not null,
  kind text not null, category text not null, class text,
  service_name text, service_code text, resource_id text, description text, usage_type text, operation text,
  line_item_type text, region text, zone text, instance_type text, price_class text, commitment_id text,
  instance_hours boolean not null,
  usage_amount numeric, usage_unit text,
  charge_start timestamptz not null, charge_end timestamptz not null,
  currency text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  tag_set_id uuid,
  primary key (tenant_id, billing_month, delivery_id, charge_id)
) partition by range (billing_month);
create index charges_resource on charges (tenant_id, resource_id, charge_start) where resource_id is not null;

-- The last compute usage of each account in a delivery.
create table delivery_coverage (
  tenant_id int not null, delivery_id uuid not null,
  account text not null, covered_until timestamptz not null,
  primary key (tenant_id, delivery_id, account),
  foreign key (tenant_id, delivery_id) references deliveries on delete cascade
);

-- Until when an account's node-hours have a bill (docs/rules.md, 8.13): kept
-- beside the charges, so that a change marks only the hours it moves over.
create table coverage (
  tenant_id int not null references tenants, account text not null, covered_until timestamptz not null,
  primary key (tenant_id, account)
);

create table rates (
  tenant_id int not null, rate_id uuid not null, import_id uuid,
  instance_type text not null, region text not null default '', price_class text not null,
  currency text not null, hourly numeric not null,
  valid_from timestamptz not null default '-infinity', valid_to timestamptz not null default 'infinity',
  source text not null,
  primary key (tenant_id, rate_id)
);
---- create above / drop below ----
drop table rates, coverage, delivery_coverage, charges, tag_sets, control_totals, delivery_files, deliveries, rejections, import_counts, imports;
