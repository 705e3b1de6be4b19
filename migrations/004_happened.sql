-- Events from all sources: workloads and their devices, the evidence for that, events of workloads and machines, calls
-- through gateways, and discarded values. Every row merges commutatively.
--
-- A person's statement about an attempt is replaced as a whole by a later import (docs/rules.md 10.1): its facts carry
-- its name. Facts that cannot be replaced have no statement.
set local lock_timeout = '5s';

-- Workloads. fillfactor 70: what lives is seen again every few seconds. -------------

-- Not only pods hold devices.
create table workload_facts (
  tenant_id int not null references tenants,
  cluster text not null, uid text not null, namespace text not null, name text not null, node text not null,
  owner_kind text not null default '', owner_name text not null default '',
  labels jsonb not null default '{}', requests jsonb not null default '{}',
  created_at timestamptz, scheduled_at timestamptz, started_at timestamptz, completed_at timestamptz,
  deleted_at timestamptz, terminal_at timestamptz, phase text not null default '',
  first_seen timestamptz, last_seen timestamptz,
  status_reason text not null default '', terminated_reason text not null default '',
  disruption_reason text not null default '',
  labels_at bigint not null default 0, requests_at bigint not null default 0,  -- ms of the samples that set them
  system text not null default '',                       -- empty: Kubernetes
  eligible_at timestamptz,
  outcome text not null default '',                      -- as its source says; empty: derived
  outcome_reason text not null default '',
  outcome_at bigint not null default 0,                  -- order of its statement, like labels_at
  statement text not null default '',
  -- Requested amounts (internal/ledger/asked.go): GPUs in 7,000,000ths, null if the number is unknown, and replicas of
  -- shared ones.
  asked_units bigint default 0, asked_replicas bigint not null default 0,
  primary key (tenant_id, cluster, uid)
) with (fillfactor = 70);
create index workload_facts_node on workload_facts (tenant_id, node);
create index workload_facts_statement on workload_facts (tenant_id, statement) where statement <> '';
create index workload_facts_asked on workload_facts (tenant_id, created_at) where asked_units is distinct from 0 or asked_replicas > 0;

-- Minutes in which a container of a pod waited in CrashLoopBackOff, a bit each.
create table pod_state_hours (
  tenant_id int not null, cluster text not null, uid text not null, hour timestamptz not null, minutes bigint not null,
  primary key (tenant_id, cluster, uid, hour)
);

-- Kubernetes objects other than pods and nodes: ReplicaSets, Jobs, namespaces …
create table objects (
  tenant_id int not null references tenants,
  cluster text not null, kind text not null, namespace text not null, name text not null,
  created_at timestamptz not null,         -- epoch when unknown
  owner_kind text not null default '', owner_name text not null default '',
  labels jsonb not null default '{}', attrs jsonb not null default '{}',
  labels_at bigint not null default 0, attrs_at bigint not null default 0,     -- ms of the samples that set them
  primary key (tenant_id, cluster, kind, namespace, name, created_at)
);

-- Workloads that held a device, from evidence other than exporter rows.
create table placements (
  tenant_id int not null references tenants,
  cluster text not null, workload text not null,         -- its uid
  evidence text not null,
  node text not null, device text not null, slice_id int not null,
  from_at timestamptz not null,                          -- epoch: from the start of the hold
  to_at timestamptz,                  -- last seen, merges to the largest; null: to the end of the hold
  core_share bigint not null, memory_share bigint not null,  -- ppm, merge to the larger; -1: unknown
  primary key (tenant_id, cluster, workload, evidence, node, device, slice_id, from_at)
) with (fillfactor = 70);

-- Times in which a workload worked for a run: the work of a shared workload.
create table segment_facts (
  tenant_id int not null references tenants,
  cluster text not null, namespace text not null, pod text not null,
  run text not null, attempt int not null, from_at timestamptz not null,
  to_at timestamptz,                                     -- merges to the largest; null: still running
  name text not null, kind text not null, group_name text not null,
  outcome text not null, reason text not null, outcome_at bigint not null,
  labels jsonb not null, labels_at bigint not null,
  statement text not null default '',
  primary key (tenant_id, cluster, namespace, pod, run, attempt, from_at)
);
create index segment_facts_statement on segment_facts (tenant_id, statement) where statement <> '';

-- Checkpoints that workloads wrote.
create table checkpoint_facts (
  tenant_id int not null, cluster text not null, namespace text not null, pod text not null, at timestamptz not null,
  run text not null default '',                          -- empty: of the workload
  step bigint not null default -1,                       -- -1: unknown; merges to the larger
  took bigint not null default 0,                        -- ms that writing it took; 0: unknown
  statement text not null default '',
  primary key (tenant_id, cluster, namespace, pod, run, at, statement)
);
create index checkpoint_facts_run on checkpoint_facts (tenant_id, run) where run <> '';
create index checkpoint_facts_statement on checkpoint_facts (tenant_id, statement) where statement <> '';

-- Events of a workload or its owner.
create table workload_events (
  tenant_id int not null references tenants,
  cluster text not null, kind text not null, namespace text not null, name text not null,
  uid text not null,                                     -- of a pod; empty: only the name is known
  what text not null, at timestamptz not null,
  reason text not null,                                  -- merges to the larger text
  primary key (tenant_id, cluster, kind, namespace, name, uid, what, at)
);

-- Events of a machine, as reported by its provider.
create table instance_events (
  tenant_id int not null, provider text not null, instance_id text not null,
  kind text not null, detail text not null, at timestamptz not null,
  account text not null default '', region text not null default '', event_id text not null default '',
  primary key (tenant_id, provider, instance_id, kind, detail, at, account)
);

-- A value that was discarded for another because there cannot be two (docs/rules.md 10.2). The facts have the kept one.
create table fact_conflicts (
  tenant_id int not null references tenants,
  what text not null,                                    -- kind of value
  cluster text not null, subject text not null,          -- uid of a workload, device
  value text not null,
  first_hour timestamptz, last_hour timestamptz,         -- hours of the discarded value; null: the life of the subject
  primary key (tenant_id, what, cluster, subject, value)
);

-- Results of experiments (docs/figures.md 15.8).
create table experiment_results (
  tenant_id int not null references tenants,
  result_id uuid not null,                                -- of experiment, run, metric and time
  experiment text not null, run text not null default '', -- run: its id or name; '' if the file names none
  metric text not null, value numeric not null,
  baseline numeric, threshold numeric,
  lower_is_better boolean not null,
  at timestamptz,                                         -- of the result; null: not in the file
  import_id uuid,
  primary key (tenant_id, result_id)
);
create index experiment_results_name on experiment_results (tenant_id, experiment, metric);

-- Calls through LLM gateways: a narrow row per call; its texts and tags are stored once. ---

create table llm_dimensions (
  tenant_id int not null references tenants, dimension_id uuid not null,  -- of the texts
  source text not null, provider text not null, model text not null, model_group text not null,
  team text not null, key_alias text not null, "user" text not null,
  primary key (tenant_id, dimension_id)
);

create table llm_tags (
  tenant_id int not null references tenants, tag_set uuid not null,       -- of the tags
  tags jsonb not null,
  primary key (tenant_id, tag_set)
);

create table llm_calls (
  tenant_id int not null, hour timestamptz not null, call_id uuid not null,
  dimension_id uuid not null, tag_set uuid,              -- null: no tags
  failed boolean not null, cache_hit boolean not null,
  prompt_tokens bigint, cached_tokens bigint, completion_tokens bigint,
  latency_ms bigint, first_token_ms bigint,
  gateway_list_spend numeric,                            -- USD, the gateway's own arithmetic; never cost
  primary key (tenant_id, hour, call_id)
) partition by range (hour);
---- create above / drop below ----
drop table llm_calls, llm_tags, llm_dimensions, experiment_results, fact_conflicts, instance_events, workload_events;
drop table checkpoint_facts, segment_facts, placements, objects, pod_state_hours, workload_facts;
