-- What allocation makes of it: workloads, runs, attempts, parts, usage, postings.
set local lock_timeout = '5s';

create table workloads (
  tenant_id int not null, workload_id uuid not null,
  cluster text not null, namespace text not null, name text not null, uid text not null,
  kind text not null, service text not null default '', owner_name text not null, class text not null,
  node_id uuid, hold_from timestamptz, hold_to timestamptz,
  outcome text not null, reason text not null default '',
  run_id text, owner_id uuid,
  primary key (tenant_id, workload_id)
);
create index workloads_node on workloads (tenant_id, node_id);

create table runs (
  tenant_id int not null, run_id text not null,
  group_id text, cluster text not null, namespace text not null, name text not null, root_kind text not null, kind text not null,
  status text not null, created_at timestamptz, started_at timestamptz, ended_at timestamptz,
  attempts int not null, preemptions int not null, world int not null,
  queue_wait_seconds bigint, budget numeric, owner_id uuid,
  primary key (tenant_id, run_id)
);

create table attempts (
  tenant_id int not null, attempt_id uuid not null,
  run_id text not null, attempt int not null, task text not null default '',
  started_at timestamptz not null, ended_at timestamptz not null, running boolean not null,
  outcome text not null, reason text not null default '', pricing text, nodes int not null, gpus int not null,
  loss_basis text, loss_from timestamptz, last_checkpoint_at timestamptz, gang_complete_at timestamptz,
  primary key (tenant_id, attempt_id)
);
create index attempts_run on attempts (tenant_id, run_id);

create table segments (
  tenant_id int not null, attempt_id uuid not null, workload_id uuid not null,
  from_at timestamptz not null, to_at timestamptz not null, weight bigint not null,
  primary key (tenant_id, attempt_id, workload_id, from_at)
);
create index segments_workload on segments (tenant_id, workload_id);

-- Charges cut to (node, hour); the hourly cut is rounded once and kept.
create table parts (
  tenant_id int not null, part_id uuid not null, charge_id uuid, delivery_id uuid, rate_id uuid,
  number int not null, kind text not null, node_id uuid, hour timestamptz not null,
  billing_period text,
  currency text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  usage_seconds bigint, method text not null, quality text not null, owner_id uuid,
  primary key (tenant_id, hour, part_id)
) partition by range (hour);
create index parts_node on parts (tenant_id, node_id, hour);
create index parts_delivery on parts (tenant_id, delivery_id);

-- A chunk is what is computed at once: one node, one UTC day; node zero holds
-- the parts without a node.
create table chunks (
  tenant_id int not null, node_id uuid not null, day timestamptz not null,
  generation bigint not null, calculation_id uuid not null, digest bytea not null,
  usage_rows int not null, posting_rows int not null, part_rows int not null, span_rows int not null,
  primary key (tenant_id, node_id, day)
);

-- What older generations of a chunk said, by owner, cause and currency.
create table chunk_history (
  tenant_id int not null, node_id uuid not null, day timestamptz not null, generation bigint not null,
  digest bytea not null, totals jsonb not null, replaced_at timestamptz not null,
  primary key (tenant_id, node_id, day, generation)
);

-- A mark is written last in its transaction and under a lock, so that marks
-- become visible in the order of mark_id.
create table dirty (
  mark_id bigint generated always as identity,
  tenant_id int not null, node_id uuid not null, day timestamptz not null, reason text not null,
  primary key (tenant_id, node_id, day, mark_id)
);

create table calculations (
  tenant_id int not null, calculation_id uuid not null,
  policy_version text not null, started_at timestamptz not null, finished_at timestamptz,
  chunks int not null default 0, message text,
  primary key (tenant_id, calculation_id)
);

create table usage (
  tenant_id int not null, usage_id uuid not null, hour timestamptz not null,
  node_id uuid not null, slot int not null, device text, slice_id int, mig_profile text,
  workload_id uuid, run_id text, attempt_id uuid,
  cause text not null, activity text not null, owner_id uuid not null, quality text not null, method text not null,
  seconds bigint not null, active_seconds bigint not null,
  weight_num numeric not null, weight_den numeric not null, held boolean not null,
  gpu_hours numeric not null, capacity_gpu_hours numeric not null, active_gpu_hours numeric not null, energy_kwh numeric,
  generation bigint not null,
  primary key (tenant_id, hour, usage_id)
) partition by range (hour);
create index usage_node on usage (tenant_id, node_id, hour);

create table postings (
  tenant_id int not null, posting_id uuid not null, hour timestamptz not null,
  part_id uuid not null, charge_id uuid, rate_id uuid, part int not null, usage_id uuid,
  billing_period text,
  cause text not null, activity text, kind text not null, adjusts uuid,
  owner_id uuid not null, method text not null, quality text not null, policy_version text not null,
  currency text not null, state text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, capacity_gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric,
  node_id uuid, slot int, device text, slice_id int, mig_profile text,
  workload_id uuid, run_id text, attempt_id uuid,
  generation bigint not null,
  primary key (tenant_id, hour, posting_id)
) partition by range (hour);
create index postings_node on postings (tenant_id, node_id, hour);
create index postings_run on postings (tenant_id, run_id) where run_id is not null;
create index postings_charge on postings (tenant_id, charge_id);

create table spans (
  tenant_id int not null, node_id uuid not null, day timestamptz not null,
  slot int not null, slice_id int, workload_id uuid, run_id text, attempt_id uuid,
  cause text not null, from_at timestamptz not null, to_at timestamptz not null
) partition by range (day);
create index spans_node on spans (tenant_id, node_id, day);
create index spans_run on spans (tenant_id, run_id) where run_id is not null;
---- create above / drop below ----
drop table spans, postings, usage, calculations, dirty, chunk_history, chunks, parts, segments, attempts, runs, workloads;
