-- Billing data: imports, deliveries, their lines, and prices.
set local lock_timeout = '5s';

-- Imports ---------------------------------------------------------------------

-- One run over files, with counts of the rows and its outcome.
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
  ignored     bigint not null default 0,   -- rows of unused metrics, by name in import_counts
  message     text,
  -- Progress, for pages to show while it runs.
  phase       text,
  phase_since timestamptz,                 -- start of the phase
  progress_at timestamptz,                 -- time of this progress
  files_done  int    not null default 0,
  bytes_done  bigint not null default 0,
  rows_done   bigint not null default 0,
  refused     bigint not null default 0,   -- files and deliveries, counted separately from rows
  primary key (tenant_id, import_id)
);

-- Rows (and files) of an import that were left out, by reason.
create table import_counts (
  tenant_id int not null,
  import_id uuid not null,
  kind      text not null check (kind in ('rejected', 'ignored', 'refused')),
  reason    text not null,
  rows      bigint not null,
  primary key (tenant_id, import_id, kind, reason),
  foreign key (tenant_id, import_id) references imports on delete cascade
);

-- The first thousand rejections of an import, one by one; import_counts counts all.
create table rejections (
  tenant_id int not null,
  import_id uuid not null,
  ordinal   int not null,
  file text not null, line bigint not null, col text, reason text not null, detail text not null,
  primary key (tenant_id, import_id, ordinal),
  foreign key (tenant_id, import_id) references imports on delete cascade
);

-- The state of each configured source when it was last looked at.
create table source_states (
  tenant_id   int   not null references tenants,
  source      text  not null,                           -- its name in the configuration
  tick        timestamptz not null default '-infinity', -- the last scheduled time that was handled
  state       text  not null check (state in ('published', 'unchanged', 'older', 'skipped', 'refused', 'failed')),
  message     text  not null default '',                -- why it was refused or failed
  listing     bytea not null default '',                -- digest of the listing when it was last imported
  versions    jsonb not null default '{}',              -- path -> version, if imported piece by piece (BigQuery)
  looked_at   timestamptz not null,
  imported_at timestamptz,                              -- the last success
  primary key (tenant_id, source)
);

-- Deliveries --------------------------------------------------------------------

-- Numbers of deliveries with few charges: see charge_rows.
create sequence small_delivery_numbers as int minvalue 1 maxvalue 999999999;
create sequence large_delivery_numbers as int minvalue 1000000000;

-- One drop of a billing export.
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
  fleet_digest  text not null default '',  -- of the fleet with which its parts were last cut
  number        int,                       -- number of its charges; null: they are not kept
  preference    int not null default 0,    -- decides between exports of equal rank
  aggregated    boolean not null default false,
  -- The bill of the delivery: a snapshot has the lineage of the delivery it replaces, an appended delivery its own id.
  lineage       uuid not null generated always as (case kind when 'append' then delivery_id
    else md5(source || chr(31) || export || chr(31) || scope || chr(31) || dataset || chr(31) || partition_key)::uuid end) stored,
  primary key (tenant_id, delivery_id),
  constraint deliveries_number unique (tenant_id, number)
);
create unique index deliveries_current on deliveries (tenant_id, source, export, scope, dataset, partition_key)
  where state = 'current' and kind = 'snapshot';
create index deliveries_appended on deliveries (tenant_id, source, export, scope, dataset, partition_key)
  where state = 'current' and kind = 'append';

create table delivery_files (
  tenant_id   int not null,
  delivery_id uuid not null,
  name text not null, sha256 bytea not null, bytes bigint not null, rows bigint not null,
  primary key (tenant_id, delivery_id, name),
  foreign key (tenant_id, delivery_id) references deliveries on delete cascade
);

-- The content last read at each file of a bill (an address, including a manifest's): a file with other content now has
-- been overwritten, so its rows are newer (docs/rules.md, 8.25).
create table delivery_places (
  tenant_id   int   not null,
  lineage     uuid  not null,                -- of the bill
  place_id    uuid  not null generated always as (md5(place)::uuid) stored, -- addresses are long
  place       text  not null,
  sha256      bytea not null,
  delivery_id uuid  not null,                -- the delivery last read there
  primary key (tenant_id, lineage, place_id),
  foreign key (tenant_id, delivery_id) references deliveries on delete cascade
);
create index delivery_places_delivery on delivery_places (tenant_id, delivery_id);

-- Rows of append-only exports are distinguished by their time of export, not by day: any number of deliveries of one
-- day may be current, each with the rows that the others lack. The rows of each are stored as hashes by time of export
-- (ingest/bill, Reading), so that the next delivery can be compared with them.
create table delivery_rows (
  tenant_id   int not null,
  delivery_id uuid not null,
  rows        bytea not null,
  primary key (tenant_id, delivery_id)
);
alter table delivery_rows alter column rows set storage external; -- hashes do not compress

-- Sums that must agree between the raw text, the staged rows and the postings.
create table control_totals (
  tenant_id      int not null,
  delivery_id    uuid not null,
  account        text not null,
  billing_period text not null,
  currency       text not null,
  metric         text not null check (metric in ('effective_cost', 'billed_cost', 'list_cost', 'contracted_cost')),
  role           text not null default 'book' check (role in ('book', 'evidence')),
  source_total   numeric not null,
  charges        bigint not null,
  -- Whether the delivery counts the instance seconds of the account (docs/rules.md, 8.1).
  counts_seconds boolean not null default true,
  primary key (tenant_id, delivery_id, account, billing_period, currency, metric),
  foreign key (tenant_id, delivery_id) references deliveries on delete cascade
);

-- The last compute usage of each account in a delivery.
create table delivery_coverage (
  tenant_id     int not null,
  delivery_id   uuid not null,
  account       text not null,
  covered_until timestamptz not null,
  primary key (tenant_id, delivery_id, account),
  foreign key (tenant_id, delivery_id) references deliveries on delete cascade
);

-- Until when an account's node-hours are covered (docs/rules.md, 8.13). Stored in addition to the charges, so that a
-- change marks only the hours over which it moves.
create table coverage (
  tenant_id     int not null references tenants,
  account       text not null,
  covered_until timestamptz not null,
  primary key (tenant_id, account)
);

-- The changes when a delivery replaced another.
create table restatements (
  tenant_id   int not null,
  delivery_id uuid not null,
  replaced    uuid not null,
  added bigint not null, removed bigint not null, changed bigint not null,
  restated_at timestamptz not null,
  primary key (tenant_id, delivery_id, replaced),
  foreign key (tenant_id, delivery_id) references deliveries on delete cascade
);

-- The changed amounts, per account and service.
create table restatement_deltas (
  tenant_id   int not null,
  delivery_id uuid not null,
  replaced    uuid not null,
  account text not null, service_name text not null, billing_period text not null, currency text not null,
  added bigint not null, removed bigint not null, changed bigint not null,
  effective_cost numeric not null, billed_cost numeric not null,
  list_cost numeric not null, contracted_cost numeric not null,
  primary key (tenant_id, delivery_id, replaced, account, service_name, billing_period, currency),
  foreign key (tenant_id, delivery_id, replaced) references restatements on delete cascade
);

-- Charges -----------------------------------------------------------------------
--
-- Charges are narrow rows that COPY fast: each text of a bill is stored once per delivery and referred to by number. A
-- large delivery has a separate table, created, filled, indexed and attached by the transaction that publishes it;
-- small ones share a table.

-- The owner of a line, and the file it was read from.
create table charge_scopes (
  tenant_id int not null, delivery int not null, scope int not null,
  source_file text not null, billing_account text not null, account text not null,
  billing_period text not null, currency text not null,
  primary key (tenant_id, delivery, scope)
);

-- Billed items.
create table charge_items (
  tenant_id int not null, delivery int not null, item int not null,
  provider text not null, kind text not null, category text not null, class text,
  service_name text, service_code text, description text, usage_type text, operation text, line_item_type text,
  region text, zone text, instance_type text, price_class text, commitment_id text, usage_unit text,
  instance_hours boolean not null, bills_gpu boolean not null,
  primary key (tenant_id, delivery, item)
);

create table charge_resources (
  tenant_id int not null, delivery int not null, resource int not null,
  resource_id text, instance_key text, instance_alias text,
  primary key (tenant_id, delivery, resource)
);

create table charge_tags (
  tenant_id int not null, delivery int not null, tag_set int not null,
  tags jsonb not null,
  primary key (tenant_id, delivery, tag_set)
);

-- Amounts are whole units of 1e-12. One that does not fit is NULL here and is in exact, in the order of the six
-- columns.
create table charge_rows (
  tenant_id int not null, delivery int not null, charge_id uuid not null,
  line bigint not null,
  starts bigint not null, ends bigint not null,   -- seconds since 1970
  scope int not null, item int not null, resource int, tag_set int,
  effective bigint, billed bigint, list bigint, contracted bigint, usage bigint, credit bigint,
  instance_seconds bigint,
  exact numeric[]
) partition by range (delivery);
create table charge_rows_small partition of charge_rows for values from (1) to (1000000000);
alter table charge_rows_small add primary key (tenant_id, delivery, charge_id);

-- Charges that stand for several lines (docs/rules.md, 8.19).
create table charge_aggregates (
  tenant_id int not null, delivery int not null, charge_id uuid not null,
  scope int not null,
  lines bigint not null,
  line_ranges bigint[] not null,                  -- first, last, first, last …
  digest bytea not null,
  primary key (tenant_id, delivery, charge_id)
);

-- A provider's own split of another line for one pod (docs/rules.md, 8.17).
create table charge_splits (
  tenant_id int not null, delivery int not null, charge_id uuid not null, scope int not null,
  parent text not null, cluster text not null, namespace text not null, pod text not null, pod_uid text not null,
  resource text not null, used numeric, unused numeric,
  primary key (tenant_id, delivery, charge_id)
);
create index charge_splits_pod on charge_splits (tenant_id, pod_uid);

-- The information about each machine in the compute lines of a delivery, mainly those of its newest interval
-- (docs/rules.md, 8.12); charge_id is the first of these.
create table charge_instances (
  tenant_id int not null, delivery int not null, instance_key text not null,
  starts bigint not null, ends bigint not null,
  newest_starts bigint not null, charge_id uuid not null,
  scope int not null, item int not null, tag_set int, usage_amount numeric,
  effective_cost numeric, instance_seconds bigint,
  primary key (tenant_id, delivery, instance_key)
);

-- A line of a bill in full. Readers give the delivery by number, so that only its table is read.
create view charge_lines as
select r.tenant_id, r.delivery, r.charge_id, s.source_file, r.line,
  i.provider, s.billing_account, s.account, s.billing_period, i.kind, i.category, i.class,
  i.service_name, i.service_code, p.resource_id, p.instance_key,
  i.description, i.usage_type, i.operation, i.line_item_type,
  i.region, i.zone, i.instance_type, i.price_class, i.commitment_id, i.instance_hours, i.bills_gpu, r.instance_seconds,
  coalesce(r.usage * 0.000000000001, r.exact[5]) as usage_amount, i.usage_unit,
  coalesce(r.credit * 0.000000000001, r.exact[6]) as commitment_credit,
  to_timestamp(r.starts) as charge_start, to_timestamp(r.ends) as charge_end, s.currency,
  coalesce(r.effective * 0.000000000001, r.exact[1]) as effective_cost,
  coalesce(r.billed * 0.000000000001, r.exact[2]) as billed_cost,
  coalesce(r.list * 0.000000000001, r.exact[3]) as list_cost,
  coalesce(r.contracted * 0.000000000001, r.exact[4]) as contracted_cost,
  r.tag_set, coalesce(a.lines, 1) as lines, a.line_ranges
from charge_rows r
left join charge_scopes s on s.tenant_id = r.tenant_id and s.delivery = r.delivery and s.scope = r.scope
left join charge_items i on i.tenant_id = r.tenant_id and i.delivery = r.delivery and i.item = r.item
left join charge_resources p on p.tenant_id = r.tenant_id and p.delivery = r.delivery and p.resource = r.resource
left join charge_aggregates a on a.tenant_id = r.tenant_id and a.delivery = r.delivery and a.charge_id = r.charge_id;

-- All lines, including those of replaced deliveries.
create view charges as
select d.delivery_id, d.state as delivery_state, l.*
from charge_lines l join deliveries d on d.tenant_id = l.tenant_id and d.number = l.delivery;

-- Prices (docs/rules.md, 8.12) ----------------------------------------------------

-- Rates of price books.
create table rates (
  tenant_id int not null, rate_id uuid not null, import_id uuid,
  instance_type text not null, region text not null default '', price_class text not null,
  currency text not null, hourly numeric not null,
  valid_from timestamptz not null default '-infinity', valid_to timestamptz not null default 'infinity',
  source text not null,
  primary key (tenant_id, rate_id)
);

-- Imported public prices: newer than the built-in ones, or of other regions.
create table public_prices (
  tenant_id int not null references tenants,
  import_id uuid not null,
  provider text not null, instance_type text not null, region text not null, price_class text not null,
  currency text not null, hourly numeric not null, source text not null, source_date date not null,
  primary key (tenant_id, provider, instance_type, region, price_class, source_date)
);

-- The public prices that hours without a bill were priced with. If the program has others, the next allocation prices
-- those hours again.
create table public_prices_used (
  tenant_id int   not null primary key references tenants,
  digest    bytea not null
);

-- Rates that no price book has but postings use: the bill's own earlier rates, public and typical prices. They record
-- where a price came from, whatever the program and its lists contain later.
create table derived_rates (
  tenant_id int not null references tenants, rate_id uuid not null,
  price_class text not null, currency text not null, hourly numeric not null, source text not null,
  primary key (tenant_id, rate_id)
);

-- All rates that postings refer to.
create view posted_rates as
  select tenant_id, rate_id, currency, hourly, source, true as of_book from rates
  union all
  select tenant_id, rate_id, currency, hourly, source, false from derived_rates;
---- create above / drop below ----
drop view posted_rates, charges, charge_lines;
drop table derived_rates, public_prices_used, public_prices, rates;
drop table charge_instances, charge_splits, charge_aggregates, charge_rows, charge_tags, charge_resources, charge_items,
  charge_scopes;
drop table restatement_deltas, restatements, coverage, delivery_coverage, control_totals, delivery_rows, delivery_places, delivery_files,
  deliveries;
drop sequence large_delivery_numbers, small_delivery_numbers;
drop table source_states, rejections, import_counts, imports;
