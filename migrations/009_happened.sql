-- What happened, whatever the source: who held what and why it is believed,
-- what a shared workload worked on, what befell it, calls through gateways, and
-- values that lost against others. Every row merges commutatively.
set local lock_timeout = '5s';

-- Not only pods hold devices. Processes of the version before write through the
-- views at the end, until a later migration drops them.
alter table pods rename to workload_facts;
alter index pods_pkey rename to workload_facts_pkey;
alter index pods_node rename to workload_facts_node;
alter table workload_facts
  add column system text not null default '',            -- empty: Kubernetes
  add column eligible_at timestamptz,
  add column outcome text not null default '',           -- as its source says; empty: derived
  add column outcome_reason text not null default '',
  add column outcome_at bigint not null default 0;       -- order of what said it, as labels_at
alter table workload_facts set (fillfactor = 70);         -- what lives is seen again every few seconds
alter table node_facts set (fillfactor = 70);
alter table devices set (fillfactor = 70);

alter table checkpoints rename to checkpoint_facts;
alter table checkpoint_facts
  add column run text not null default '',               -- empty: of the workload
  add column step bigint not null default -1,            -- -1: unknown; merges to the larger
  drop constraint checkpoints_pkey,
  add constraint checkpoint_facts_pkey primary key (tenant_id, cluster, namespace, pod, run, at);
create index checkpoint_facts_run on checkpoint_facts (tenant_id, run) where run <> '';

-- That a workload held a device, as something other than exporter rows knows it.
create table placements (
  tenant_id int not null references tenants,
  cluster text not null, workload text not null,         -- its uid
  evidence text not null,
  node text not null, device text not null, slice_id int not null,
  from_at timestamptz not null,                          -- epoch: from the start of the hold
  to_at timestamptz,                                     -- last seen, merges to the largest; null: to the end of the hold
  core_share bigint not null, memory_share bigint not null,  -- ppm, merge to the larger; -1: unknown
  primary key (tenant_id, cluster, workload, evidence, node, device, slice_id, from_at)
) with (fillfactor = 70);

-- That a workload worked for a run for a while.
create table segment_facts (
  tenant_id int not null references tenants,
  cluster text not null, namespace text not null, pod text not null,
  run text not null, attempt int not null, from_at timestamptz not null,
  to_at timestamptz,                                     -- merges to the largest; null: still running
  name text not null, kind text not null, group_name text not null,
  outcome text not null, reason text not null, outcome_at bigint not null,
  labels jsonb not null, labels_at bigint not null,
  primary key (tenant_id, cluster, namespace, pod, run, attempt, from_at)
);

-- What befell a workload or its owner.
create table workload_events (
  tenant_id int not null references tenants,
  cluster text not null, kind text not null, namespace text not null, name text not null,
  uid text not null,                                     -- of a pod; empty: only the name is known
  what text not null, at timestamptz not null,
  reason text not null,                                  -- merges to the larger text
  primary key (tenant_id, cluster, kind, namespace, name, uid, what, at)
);

-- Counters of inference servers and controllers.
create table counter_hours (
  tenant_id int not null, cluster text not null, namespace text not null, pod text not null,
  server text not null, model text not null, engine text not null, hour timestamptz not null,
  vectors bytea not null,                                -- internal/minutes codec
  primary key (tenant_id, cluster, namespace, pod, server, model, engine, hour)
) partition by range (hour);
alter table counter_hours alter column vectors set storage external;
select ensure_month('counter_hours', m)
from (select date_trunc('month', now() + i * interval '1 month', 'UTC') from generate_series(0, 1) i
      union select date_trunc('month', hour, 'UTC') from inference_hours) months (m);
lock table inference_hours in access exclusive mode;
insert into counter_hours select * from inference_hours;
drop table inference_hours;

-- Calls through LLM gateways: a narrow row per call; what it was about is named once.
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

-- A value that lost against another where there cannot be two
-- (docs/rules.md 10.2). What was kept stands in the facts.
create table fact_conflicts (
  tenant_id int not null references tenants,
  what text not null,                                    -- which value of what
  cluster text not null, subject text not null,          -- uid of a workload, device
  value text not null,
  first_hour timestamptz, last_hour timestamptz,         -- in which it was claimed; null: in the life of the subject
  primary key (tenant_id, what, cluster, subject, value)
);

-- New facts look for the holds that they move.
create index workloads_uid on workloads (tenant_id, cluster, uid);
create index workloads_name on workloads (tenant_id, cluster, namespace, name);

create view pods as
select tenant_id, cluster, uid, namespace, name, node, owner_kind, owner_name, labels, requests,
  created_at, scheduled_at, started_at, completed_at, deleted_at, terminal_at, phase, first_seen, last_seen,
  status_reason, terminated_reason, disruption_reason, labels_at, requests_at
from workload_facts;
create view checkpoints as select tenant_id, cluster, namespace, pod, at from checkpoint_facts;
create view inference_hours as select * from counter_hours;
---- create above / drop below ----
drop view inference_hours, checkpoints, pods;
drop index workloads_name, workloads_uid;
drop table fact_conflicts, llm_calls, llm_tags, llm_dimensions;
create table inference_hours (
  tenant_id int not null, cluster text not null, namespace text not null, pod text not null,
  server text not null, model text not null, engine text not null, hour timestamptz not null,
  vectors bytea not null,
  primary key (tenant_id, cluster, namespace, pod, server, model, engine, hour)
);
insert into inference_hours select * from counter_hours;
drop table counter_hours, workload_events, segment_facts, placements;
delete from checkpoint_facts where run <> '';
drop index checkpoint_facts_run;
alter table checkpoint_facts drop constraint checkpoint_facts_pkey, drop column run, drop column step,
  add constraint checkpoints_pkey primary key (tenant_id, cluster, namespace, pod, at);
alter table checkpoint_facts rename to checkpoints;
alter table devices reset (fillfactor);
alter table node_facts reset (fillfactor);
alter table workload_facts reset (fillfactor);
alter table workload_facts drop column system, drop column eligible_at, drop column outcome, drop column outcome_reason, drop column outcome_at;
alter index workload_facts_node rename to pods_node;
alter index workload_facts_pkey rename to pods_pkey;
alter table workload_facts rename to pods;
