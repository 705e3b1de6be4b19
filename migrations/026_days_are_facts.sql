-- Daily results become facts (internal/star): gpuledger creates their tables after the migrations and computes the days
-- again. Layouts of days whose minutes were dropped cannot be recomputed, so they are copied.
set local lock_timeout = '5s';

drop view slice_words, layout_words cascade; -- migrations create the views of bi_v1 that read them again
create table star.layout_days as
select tenant_id, day as at, node_id, slot::bigint, number::bigint, device, model, from_at, to_at, slice_ids::bigint[], profiles, weights,
  denominator, free, stranded, held_seconds, assumed, compute::bigint, memory::bigint, free_compute::bigint, largest::bigint,
  dead_compute::bigint, dead_memory::bigint, fragmentation_ppm
from layout_days;
drop table packing_cards, packing_days, slice_days, layout_days, pod_use_days, demand_costs, demand_days, target_days cascade;
delete from analysis_days where step in ('demand', 'targets');
---- create above / drop below ----
drop table if exists star.layout_days;
create table layout_days (
  tenant_id int not null, day timestamptz not null, node_id uuid not null, slot int not null, number int not null,
  device text not null, model text not null,
  from_at timestamptz not null, to_at timestamptz not null,
  slice_ids int[] not null, profiles text[] not null,
  weights bigint[] not null, denominator bigint not null, free bigint not null, stranded bigint not null,
  held_seconds bigint[] not null,
  assumed boolean not null,
  compute int not null, memory int not null, free_compute int not null, largest int not null,
  dead_compute int not null, dead_memory int not null, fragmentation_ppm bigint not null,
  primary key (tenant_id, day, node_id, slot, number)
) partition by range (day);
create table slice_days (
  tenant_id int not null, day timestamptz not null, node_id uuid not null, slot int not null, number int not null,
  slice_id int, owner_id uuid not null, class text, namespace text,
  cause text not null, state text not null, currency text,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, capacity_gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric
) partition by range (day);
create index slice_days_day on slice_days (tenant_id, day, node_id, slot);
create table packing_days (
  tenant_id int not null, day timestamptz not null, cluster text not null, model text not null,
  cards int not null, fewest int not null, exact boolean not null,
  stuck_ppm bigint not null, free_ppm bigint not null,
  primary key (tenant_id, day, cluster, model)
);
create table packing_cards (
  tenant_id int not null, day timestamptz not null, cluster text not null, model text not null, card int not null,
  node_id uuid not null, slot int not null, device text not null,
  had text[] not null,
  profiles text[] not null, starts int[] not null,
  primary key (tenant_id, day, cluster, model, card)
);
create view layout_words as
select tenant_id, day, node_id, slot, number, device, model, from_at, to_at, slice_ids, profiles, weights, denominator,
  free, stranded, null::bigint[] as held_seconds, assumed, compute, memory, free_compute, largest, dead_compute,
  dead_memory, fragmentation_ppm
from layout_days;
create view slice_words as
select tenant_id, day, node_id, slot, number, currency from slice_days where currency is not null;
create table pod_use_days (
  tenant_id int not null references tenants,
  day timestamptz not null,
  cluster text not null, namespace text not null, pod text not null,
  cpu bytea, memory bytea,
  primary key (tenant_id, day, cluster, namespace, pod)
);
create table demand_days (
  tenant_id int not null references tenants, day timestamptz not null,
  cluster text not null, namespace text not null, kind text not null, name text not null,
  gpu_model text not null, mig_profile text not null, price_class text not null, instance_type text not null,
  owner_id uuid not null, class text not null, run_kind text not null, service text not null,
  device_model text not null, region text not null, provider text not null,
  slices int not null,
  gpu_hours numeric not null,
  hours int not null,
  activity bytea not null, memory bytea not null,
  slice_memory bigint not null default 0, held_hours int not null default 0,
  primary key (tenant_id, day, cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type,
    owner_id, class, run_kind)
);
create table demand_costs (
  tenant_id int not null references tenants, day timestamptz not null,
  cluster text not null, namespace text not null, kind text not null, name text not null,
  gpu_model text not null, mig_profile text not null, price_class text not null, instance_type text not null,
  owner_id uuid not null, class text not null, run_kind text not null,
  currency text not null, state text not null,
  effective_cost numeric not null,
  primary key (tenant_id, day, cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type,
    owner_id, class, run_kind, currency)
);
create table target_days (
  tenant_id int not null references tenants, day timestamptz not null,
  target text not null,
  subject text not null,
  unit text not null, currency text not null,
  numerator numeric not null, denominator numeric not null,
  primary key (tenant_id, target, subject, unit, currency, day)
);
