-- What the ledger adds up to, so that a year is answered from some ten
-- thousand rows instead of some hundred million. A *grain* is a set of keys
-- (1: the fewest); its groups have names of their own, so that rows are narrow.
-- Sums are those of the ledger: null where nothing is known.
set local lock_timeout = '5s';

create table rollup_groups (
  tenant_id int not null, group_id uuid not null,   -- hash of grain and values
  grain smallint not null,
  -- In every grain.
  billing_period text, cause text not null, kind text not null, currency text, state text not null,
  -- Those that the grain has, null in others.
  provider text, billing_account text, account text, region text, zone text, cluster text, instance_type text, gpu_model text,
  mig_profile text, pricing text, commitment text, service_name text, charge_category text,
  namespace text, workload_kind text, workload_class text, service text,
  business_unit text, team text, project text, model text, stage text, environment text, cost_center text, queue text,
  quality text, owner_id uuid, run text,
  primary key (tenant_id, group_id)
);
create index rollup_groups_grain on rollup_groups (tenant_id, grain);

create table rollup_days (
  tenant_id int not null, grain smallint not null, day timestamptz not null, group_id uuid not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, capacity_gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric,
  primary key (tenant_id, grain, day, group_id)
) partition by range (day);
create table rollup_hours (
  tenant_id int not null, grain smallint not null, hour timestamptz not null, group_id uuid not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, capacity_gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric,
  primary key (tenant_id, grain, hour, group_id)
) partition by range (hour);
-- A group is of one billing period, so months need no names of groups. Each
-- grain by itself: who asks for few keys reads few rows.
create table rollup_months (
  tenant_id int not null, grain smallint not null, month timestamptz not null, group_id uuid not null,
  billing_period text, cause text not null, kind text not null, currency text, state text not null,
  provider text, billing_account text, account text, region text, zone text, cluster text, instance_type text, gpu_model text,
  mig_profile text, pricing text, commitment text, service_name text, charge_category text,
  namespace text, workload_kind text, workload_class text, service text,
  business_unit text, team text, project text, model text, stage text, environment text, cost_center text, queue text,
  quality text, owner_id uuid, run text,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, capacity_gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric,
  primary key (tenant_id, grain, month, group_id)
) partition by list (grain);
create table rollup_months_1 partition of rollup_months for values in (1);
create table rollup_months_2 partition of rollup_months for values in (2);
create table rollup_months_3 partition of rollup_months for values in (3);
create table rollup_months_4 partition of rollup_months for values in (4);
create table rollup_months_5 partition of rollup_months for values in (5);
create table rollup_months_6 partition of rollup_months for values in (6);

-- Which days and calendar months (UTC) are there, as whole as the ledger was. A
-- day that has changed since is marked (stale_days, analysis_days, dirty).
create table rolled_days (
  tenant_id int not null references tenants, day timestamptz not null,
  primary key (tenant_id, day)
);
create table rolled_months (
  tenant_id int not null references tenants, month timestamptz not null,
  primary key (tenant_id, month)
);

-- Who reads a few days looks only at their node-days.
create index chunks_day on chunks (tenant_id, day);
---- create above / drop below ----
drop index chunks_day;
drop table if exists rolled_months, rolled_days, rollup_months, rollup_hours, rollup_days, rollup_groups;
