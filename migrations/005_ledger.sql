-- The results of allocation: the resolved world (docs/rules.md, section 2 and on), and the ledger: parts of charges,
-- usage, postings.
set local lock_timeout = '5s';

-- The world --------------------------------------------------------------------------

-- Machines as allocation resolves them (docs/rules.md, section 2).
create table nodes (
  tenant_id int not null references tenants,
  node_id   uuid not null,                 -- of the instance id, else of cluster and name
  cluster text not null, name text not null, provider_id text not null default '', instance_id text not null default '',
  labels jsonb not null default '{}', tags jsonb not null default '{}',
  appeared_at timestamptz, gone_at timestamptz,   -- null when only ever billed
  instance_type text, region text, zone text, price_class text, gpu_model text,
  gpus int not null default 0, replicas int not null default 1,
  account text,
  in_source boolean not null default false,       -- a placement source listed it
  seen_by int not null default 0,            -- reported by: 1 its cluster, 2 jobs, 4 its exporter, 8 event of its end
  owner_id uuid,                                   -- owner of its unheld time
  primary key (tenant_id, node_id)
);
create index nodes_name on nodes (tenant_id, cluster, name);

-- Pods and their equivalents in other systems: identity, root owner, hold.
--
-- Labels of workloads and runs come from pod, root owner and namespace, by folded key. They mark no day: nothing is
-- computed from them.
create table workloads (
  tenant_id int not null, workload_id uuid not null,
  cluster text not null, namespace text not null, name text not null, uid text not null,
  kind text not null, service text not null default '', owner_name text not null, class text not null,
  node_id uuid, hold_from timestamptz, hold_to timestamptz,
  outcome text not null, reason text not null default '',
  run_id text, owner_id uuid,
  labels jsonb not null default '{}',
  primary key (tenant_id, workload_id)
);
create index workloads_node on workloads (tenant_id, node_id);
-- New facts find the holds that they affect.
create index workloads_uid on workloads (tenant_id, cluster, uid);
create index workloads_name on workloads (tenant_id, cluster, namespace, name);

-- One logical job over all its attempts.
create table runs (
  tenant_id int not null, run_id text not null,
  group_id text, cluster text not null, namespace text not null, name text not null,
  root_kind text not null, kind text not null,
  status text not null, created_at timestamptz, started_at timestamptz, ended_at timestamptz,
  attempts int not null, preemptions int not null, world int not null,
  queue_wait_seconds bigint, budget numeric, owner_id uuid,
  max_cost numeric,                         -- by its label max-cost-per-run; budget: by cost-budget-limit
  labels jsonb not null default '{}',
  primary key (tenant_id, run_id)
);

-- One try of a run (of one task of it, when it is no gang).
create table attempts (
  tenant_id int not null, attempt_id uuid not null,
  run_id text not null, attempt int not null, task text not null default '',
  started_at timestamptz not null, ended_at timestamptz not null, running boolean not null,
  outcome text not null, reason text not null default '', pricing text, nodes int not null, gpus int not null,
  loss_basis text, loss_from timestamptz, last_checkpoint_at timestamptz, gang_complete_at timestamptz,
  primary key (tenant_id, attempt_id)
);
create index attempts_run on attempts (tenant_id, run_id);

-- Ties an attempt to a workload for a time; many attempts may share one pod and many pods one attempt. Several segments
-- in one second count in proportion to their weights.
create table segments (
  tenant_id int not null, attempt_id uuid not null, workload_id uuid not null,
  from_at timestamptz not null, to_at timestamptz not null, weight bigint not null,
  -- The loss of lost members while the rest of their gang went on (docs/rules.md 6.10).
  loss_basis text, loss_from timestamptz,
  primary key (tenant_id, attempt_id, workload_id, from_at)
);
create index segments_workload on segments (tenant_id, workload_id);

-- The last saved nodes, owners, workloads, runs, attempts and segments, so that an unchanged world is not compared row
-- by row.
create table derived_state (
  tenant_id int not null primary key references tenants,
  digest bytea not null
);

-- The provider's own split by pod, in runs or not, only from the book: two exports of one bill would count it twice.
create view pod_splits as
select w.tenant_id, w.workload_id, w.run_id, c.currency, s.resource, s.used, s.unused
from workloads w
join charge_splits s on s.tenant_id = w.tenant_id and s.pod_uid = w.uid
join deliveries d on d.tenant_id = s.tenant_id and d.number = s.delivery and d.state = 'current'
join charge_scopes c on c.tenant_id = s.tenant_id and c.delivery = s.delivery and c.scope = s.scope
where w.uid <> '' and exists (
  select from control_totals t
  where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
    and t.account = c.account and t.billing_period = c.billing_period
    and t.currency = c.currency and t.role = 'book');
create view run_splits as
select tenant_id, run_id, currency, resource, used, unused from pod_splits where run_id is not null;

-- Calculations -----------------------------------------------------------------------
--
-- Several processes work on one ledger. Whether a process's work still counts is decided in the transaction that writes
-- it.

create table calculations (
  tenant_id int not null, calculation_id uuid not null,
  policy_version text not null, started_at timestamptz not null, finished_at timestamptz,
  chunks int not null default 0, message text,
  mark bigint not null default 0,  -- newest mark when it began: all that it reads is at least as new
  seen_at timestamptz,             -- sign of life of its planner
  inputs jsonb,                    -- its inputs
  input_digest bytea,              -- SHA-256 of inputs
  primary key (tenant_id, calculation_id)
);
create index calculations_open on calculations (tenant_id, started_at) where finished_at is null;

-- The newest number of marks in dirty, by tenant.
create table newest_marks (
  tenant_id int primary key references tenants,
  mark_id bigint not null
);

-- Returns the next number. Its row stays locked until the commit, so that marks become visible in the order of their
-- numbers.
create function next_mark(tenant int) returns bigint language sql as $$
  insert into newest_marks as m (tenant_id, mark_id) values (tenant, 1)
  on conflict (tenant_id) do update set mark_id = m.mark_id + 1
  returning mark_id
$$;

-- Node-days to compute again. Marks are written last in their transaction, all with one number.
create table dirty (
  tenant_id int not null, node_id uuid not null, day timestamptz not null, mark_id bigint not null,
  reason text not null,
  -- The calculation whose own step set the mark; null: facts that arrived, a
  -- policy, prices.
  calculation_id uuid default nullif(current_setting('gpuledger.calculation', true), '')::uuid,
  primary key (tenant_id, node_id, day, mark_id)
);

-- Processes that work on batches of others.
create table allocation_workers (
  tenant_id int not null references tenants, worker text not null,
  seen_at timestamptz not null,
  primary key (tenant_id, worker)
);

-- Node-days of the running calculation that are distributed to workers, and their results; deleted when it ends.
create table allocation_batches (
  tenant_id int not null, calculation_id uuid not null, batch int not null,
  node_days int not null,
  work bytea not null,                        -- JSON, zstd
  worker text,                                -- the process that has it, or last had it
  slot int,                                   -- which of its slots
  tries int not null default 0,
  message text,                               -- why the last try failed
  result jsonb,                               -- null: not done yet
  primary key (tenant_id, calculation_id, batch),
  foreign key (tenant_id, calculation_id) references calculations on delete cascade
);

-- A chunk is computed as a unit: one node, one UTC day; node zero has the parts without a node.
create table chunks (
  tenant_id int not null, node_id uuid not null, day timestamptz not null,
  generation bigint not null, calculation_id uuid not null, digest bytea not null,
  usage_rows int not null, posting_rows int not null, part_rows int not null, span_rows int not null,
  -- Time of its first version, so that an earlier state can be queried.
  written_at timestamptz not null default now(), -- of its first generation
  mark bigint not null default 0,             -- of the calculation that wrote it
  -- A sum per table and hour, so that unchanged hours are not written again. It begins with the digest it belongs to;
  -- null, or of another digest: unknown. Stored out of line, because lists of chunks do not need it.
  hours bytea,
  primary key (tenant_id, node_id, day)
) with (toast_tuple_target = 256);
alter table chunks alter column hours set storage external;
-- Readers of a few days look only at their node-days.
create index chunks_day on chunks (tenant_id, day);

-- Totals of older generations of a chunk, by owner, cause and currency.
create table chunk_history (
  tenant_id int not null, node_id uuid not null, day timestamptz not null, generation bigint not null,
  digest bytea not null, totals jsonb not null, replaced_at timestamptz not null,
  primary key (tenant_id, node_id, day, generation)
);

-- Rows of the ledger. Indexes of usage, posting_rows and spans: index_month (001) ---------

-- Charges cut to (node, hour); the hourly cut is rounded once and kept.
create table parts (
  tenant_id int not null, part_id uuid not null, charge_id uuid, delivery_id uuid, rate_id uuid,
  number int not null, kind text not null, node_id uuid, hour timestamptz not null,
  billing_period text,
  currency text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  usage_seconds bigint, method text not null, quality text not null, owner_id uuid,
  posting_kind text not null default 'direct', -- distinguishes parts of amortisation pairs (docs/rules.md, 8.15)
  billing_account text,                        -- payer of the charge; null for provisional parts
  charge_period text,                          -- billing period of the charge, if it is posted in a later one
  final boolean not null default false,        -- posted for good
  reverses uuid,                               -- the final part whose amounts this one takes back
  replaces uuid,                               -- the final part of the line that this one's line replaces
  primary key (tenant_id, hour, part_id)
) partition by range (hour);
create index parts_node on parts (tenant_id, node_id, hour);
create index parts_delivery on parts (tenant_id, delivery_id);
create index parts_final on parts (tenant_id, charge_id) where final;
-- Hours without a bill are few among all parts, and every overview needs their prices.
create index parts_provisional on parts (tenant_id, hour) where kind = 'provisional';

-- Quantities, each once, with or without a bill (docs/rules.md 8.2).
create table usage (
  tenant_id int not null, usage_id uuid not null, hour timestamptz not null,
  node_id uuid not null, slot int not null, device text, slice_id int, mig_profile text,
  workload_id uuid, run_id text, attempt_id uuid,
  cause text not null, activity text not null, owner_id uuid not null, quality text not null, method text not null,
  seconds bigint not null, active_seconds bigint not null,
  weight_num numeric not null, weight_den numeric not null, held boolean not null,
  gpu_hours numeric not null, capacity_gpu_hours numeric not null, active_gpu_hours numeric not null,
  energy_kwh numeric,
  generation bigint not null
) partition by range (hour);

-- Terms that many postings share: few rows, with the bill, the reasons and the settlement of each posting. Closing a
-- period changes these.
create table posting_terms (
  tenant_id int not null,
  terms_id bigint not null,                    -- of all columns below, as posted (store/book/terms.go)
  billing_account text, billing_period text,   -- null for provisional parts
  posted_period text,                          -- billing_period until it is closed with a later one (docs/rules.md 13.3)
  settles text,                                -- the period whose closing makes it final; null: none does
  cause text not null, activity text, kind text not null, method text not null, quality text not null,
  policy_version text not null, currency text not null, state text not null,
  primary key (tenant_id, terms_id)
);

-- Money: the share of a part that a row of usage bears, or that is unassigned. Read as view postings.
create table posting_rows (
  tenant_id int not null, part int not null,
  hour timestamptz not null, terms_id bigint not null, generation bigint not null,
  posting_id uuid not null, part_id uuid not null, charge_id uuid, rate_id uuid, usage_id uuid, adjusts uuid,
  owner_id uuid not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, capacity_gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric,
  node_id uuid, slot int, device text, slice_id int, mig_profile text,
  workload_id uuid, run_id text, attempt_id uuid
) partition by range (hour);

-- Postings with their terms. A left join: a posting without its terms is still shown, for verify to find.
create view postings as
select p.tenant_id, p.posting_id, p.hour, p.part_id, p.charge_id, p.rate_id, p.part, p.usage_id, t.billing_period,
  t.cause, t.activity, t.kind, p.adjusts, p.owner_id, t.method, t.quality, t.policy_version, t.currency, t.state,
  p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost,
  p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh,
  p.node_id, p.slot, p.device, p.slice_id, p.mig_profile, p.workload_id, p.run_id, p.attempt_id, p.generation, t.billing_account
from posting_rows p
left join posting_terms t on t.tenant_id = p.tenant_id and t.terms_id = p.terms_id;

-- Stretches of one slot with one cause, for time lines and explain.
create table spans (
  tenant_id int not null, node_id uuid not null, day timestamptz not null,
  slot int not null, slice_id int, workload_id uuid, run_id text, attempt_id uuid,
  cause text not null, from_at timestamptz not null, to_at timestamptz not null
) partition by range (day);
---- create above / drop below ----
drop view postings;
drop table spans, posting_rows, posting_terms, usage, parts, chunk_history, chunks, allocation_batches, allocation_workers, dirty,
  newest_marks, calculations;
drop function next_mark(int);
drop view run_splits, pod_splits;
drop table derived_state, segments, attempts, runs, workloads, nodes;
