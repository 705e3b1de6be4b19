-- Charges as narrow rows that COPY fast: every word of a bill is kept once per
-- delivery and named by number. A large delivery has a table of its own, made,
-- filled, indexed and attached by the transaction that publishes it; small
-- ones share a table.
set local lock_timeout = '5s';

-- How far an import is, for pages to show while it runs.
alter table imports
  add column phase       text,
  add column phase_since timestamptz,             -- start of the phase
  add column progress_at timestamptz,             -- when this was written
  add column files_done  int    not null default 0,
  add column bytes_done  bigint not null default 0,
  add column rows_done   bigint not null default 0;

-- Parts of amortise pairs are told apart (docs/rules.md, 8.15).
alter table parts add column posting_kind text not null default 'direct';

create sequence small_delivery_numbers as int minvalue 1 maxvalue 999999999;
create sequence large_delivery_numbers as int minvalue 1000000000;
alter table deliveries
  add column number     int,                      -- names its charges; null: they are not kept
  add column preference int not null default 0,   -- decides between exports of equal rank
  add column aggregated boolean not null default false,
  add constraint deliveries_number unique (tenant_id, number);
-- Whether the delivery counts the instance seconds of the account (docs/rules.md, 8.1).
alter table control_totals add column counts_seconds boolean not null default true;

-- Whose line it is, and where it was read.
create table charge_scopes (
  tenant_id int not null, delivery int not null, scope int not null,
  source_file text not null, billing_account text not null, account text not null, billing_period text not null, currency text not null,
  primary key (tenant_id, delivery, scope)
);

-- What was billed.
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
  resource_id text, instance_key text,
  primary key (tenant_id, delivery, resource)
);

create table charge_tags (
  tenant_id int not null, delivery int not null, tag_set int not null,
  tags jsonb not null,
  primary key (tenant_id, delivery, tag_set)
);

-- Amounts are whole units of 1e-12; one that does not fit is NULL here and
-- stands in exact, in the order of the six columns.
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
  parent text not null, cluster text not null, namespace text not null, pod text not null, pod_uid text not null, resource text not null,
  used numeric, unused numeric,
  primary key (tenant_id, delivery, charge_id)
);
create index charge_splits_pod on charge_splits (tenant_id, pod_uid);

-- What the compute lines of a delivery say of each machine, those of its newest
-- interval in particular (docs/rules.md, 8.12); charge_id is the first of these.
create table charge_instances (
  tenant_id int not null, delivery int not null, instance_key text not null,
  starts bigint not null, ends bigint not null,
  newest_starts bigint not null, charge_id uuid not null,
  scope int not null, item int not null, tag_set int, usage_amount numeric,
  effective_cost numeric, instance_seconds bigint,
  primary key (tenant_id, delivery, instance_key)
);

-- What changed when a delivery replaced another.
create table restatements (
  tenant_id int not null, delivery_id uuid not null, replaced uuid not null,
  added bigint not null, removed bigint not null, changed bigint not null,
  restated_at timestamptz not null,
  primary key (tenant_id, delivery_id, replaced),
  foreign key (tenant_id, delivery_id) references deliveries on delete cascade
);
create table restatement_deltas (
  tenant_id int not null, delivery_id uuid not null, replaced uuid not null,
  account text not null, service_name text not null, billing_period text not null, currency text not null,
  added bigint not null, removed bigint not null, changed bigint not null,
  effective_cost numeric not null, billed_cost numeric not null, list_cost numeric not null, contracted_cost numeric not null,
  primary key (tenant_id, delivery_id, replaced, account, service_name, billing_period, currency),
  foreign key (tenant_id, delivery_id, replaced) references restatements on delete cascade
);

-- Carry over what is stored, all of it into the shared table.
update deliveries d set number = nextval('small_delivery_numbers')
where exists (select from charges c where c.tenant_id = d.tenant_id and c.delivery_id = d.delivery_id);

create temp table old_lines on commit drop as
select d.number as delivery, c.*,
  dense_rank() over (partition by d.number order by source_file, billing_account, account, billing_period, currency) as scope,
  dense_rank() over (partition by d.number order by provider, c.kind, category, class, service_name, service_code, description, usage_type, operation,
    line_item_type, region, zone, instance_type, price_class, commitment_id, usage_unit, instance_hours) as item,
  dense_rank() over (partition by d.number order by resource_id) as resource,
  dense_rank() over (partition by d.number order by tag_set_id) as tag_set,
  -- the instance key of an EC2 resource id or ARN (docs/rules.md, 2.1)
  substring(resource_id from '(?:^|/)((?:i|mi)-[^/]*)$') as instance_key
from charges c join deliveries d on d.tenant_id = c.tenant_id and d.delivery_id = c.delivery_id;
insert into charge_scopes
select distinct tenant_id, delivery, scope, source_file, billing_account, account, billing_period, currency from old_lines;
insert into charge_items
select distinct tenant_id, delivery, item, provider, kind, category, class, service_name, service_code, description, usage_type, operation, line_item_type,
  region, zone, instance_type, price_class, commitment_id, usage_unit, instance_hours, false from old_lines;
insert into charge_resources
select distinct tenant_id, delivery, resource, resource_id, instance_key from old_lines where resource_id is not null;
insert into charge_tags
select distinct o.tenant_id, o.delivery, o.tag_set, t.tags
from old_lines o join tag_sets t on t.tenant_id = o.tenant_id and t.tag_set_id = o.tag_set_id;

create or replace function pg_temp.units(v numeric) returns bigint immutable language sql as $$
  select case when v * 1e12 = trunc(v * 1e12) and abs(v * 1e12) < 9.2e18 then (v * 1e12)::bigint end $$;
insert into charge_rows
select tenant_id, delivery, charge_id, line, extract(epoch from charge_start)::bigint, extract(epoch from charge_end)::bigint,
  scope, item, case when resource_id is not null then resource end, case when tag_set_id is not null then tag_set end,
  pg_temp.units(effective_cost), pg_temp.units(billed_cost), pg_temp.units(list_cost), pg_temp.units(contracted_cost), pg_temp.units(usage_amount), null,
  case when instance_hours and instance_key is not null and kind in ('usage', 'covered_usage') and usage_amount >= 0 then round(usage_amount * 3600)::bigint end,
  case when pg_temp.units(coalesce(effective_cost, 0)) is null or pg_temp.units(coalesce(billed_cost, 0)) is null or pg_temp.units(coalesce(list_cost, 0)) is null
      or pg_temp.units(coalesce(contracted_cost, 0)) is null or pg_temp.units(coalesce(usage_amount, 0)) is null
    then array[case when pg_temp.units(effective_cost) is null then effective_cost end, case when pg_temp.units(billed_cost) is null then billed_cost end,
      case when pg_temp.units(list_cost) is null then list_cost end, case when pg_temp.units(contracted_cost) is null then contracted_cost end,
      case when pg_temp.units(usage_amount) is null then usage_amount end, null] end
from old_lines;
insert into charge_instances
select distinct on (tenant_id, delivery, instance_key) tenant_id, delivery, instance_key,
  extract(epoch from min(charge_start) over machine)::bigint, extract(epoch from max(charge_end) over machine)::bigint,
  extract(epoch from charge_start)::bigint, charge_id, scope, item, case when tag_set_id is not null then tag_set end, usage_amount,
  sum(effective_cost) over hour, sum(case when kind in ('usage', 'covered_usage') and usage_amount >= 0 then round(usage_amount * 3600)::bigint end) over hour
from old_lines where instance_hours and instance_key is not null
window machine as (partition by tenant_id, delivery, instance_key), hour as (partition by tenant_id, delivery, instance_key, charge_start, charge_end)
order by tenant_id, delivery, instance_key, charge_end desc, charge_start desc, charge_id;
drop table charges;
drop table tag_sets;

-- A line of a bill in full. Readers name the delivery by number, so that only
-- its table is read.
create view charge_lines as
select r.tenant_id, r.delivery, r.charge_id, s.source_file, r.line,
  i.provider, s.billing_account, s.account, s.billing_period, i.kind, i.category, i.class,
  i.service_name, i.service_code, p.resource_id, p.instance_key, i.description, i.usage_type, i.operation, i.line_item_type,
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

-- All lines, also of deliveries that were replaced.
create view charges as
select d.delivery_id, d.state as delivery_state, l.*
from charge_lines l join deliveries d on d.tenant_id = l.tenant_id and d.number = l.delivery;

-- What a provider's own split gives the pods of runs, from the book alone: two
-- exports of one bill say it twice.
create view run_splits as
select w.tenant_id, w.run_id, c.currency, s.resource, s.used, s.unused
from workloads w
join charge_splits s on s.tenant_id = w.tenant_id and s.pod_uid = w.uid
join deliveries d on d.tenant_id = s.tenant_id and d.number = s.delivery and d.state = 'current'
join charge_scopes c on c.tenant_id = s.tenant_id and c.delivery = s.delivery and c.scope = s.scope
where w.run_id is not null and w.uid <> '' and exists (
  select from control_totals t
  where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id and t.account = c.account and t.billing_period = c.billing_period
    and t.currency = c.currency and t.role = 'book');
---- create above / drop below ----
drop view run_splits, charges, charge_lines;
drop table restatement_deltas, restatements, charge_instances, charge_splits, charge_aggregates, charge_rows, charge_tags, charge_resources, charge_items, charge_scopes;
-- Without their charges deliveries are nothing: importing again brings them back.
delete from deliveries;
delete from coverage;
delete from delivery_coverage;
alter table control_totals drop column counts_seconds;
alter table deliveries drop constraint deliveries_number, drop column aggregated, drop column preference, drop column number;
alter table parts drop column posting_kind;
drop sequence large_delivery_numbers, small_delivery_numbers;
alter table imports drop column rows_done, drop column bytes_done, drop column files_done, drop column progress_at, drop column phase_since, drop column phase;
create table tag_sets (
  tenant_id int not null, tag_set_id uuid not null, tags jsonb not null,
  primary key (tenant_id, tag_set_id)
);
create table charges (
  tenant_id int not null, delivery_id uuid not null, charge_id uuid not null,
  billing_month timestamptz not null,
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
