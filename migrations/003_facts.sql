-- What happened: nodes, devices, samples, workloads, events. Every row merges
-- commutatively, so loading twice or in any order gives the same rows.
set local lock_timeout = '5s';

-- What telemetry said of a machine. A fact that came with a name only stays a
-- row of its own (instance_id '') and is folded into its machine when read, so
-- that the order of loading does not matter.
create table node_facts (
  tenant_id int not null references tenants,
  cluster text not null, name text not null, instance_id text not null,
  provider_id text not null,
  labels jsonb not null, capacity jsonb not null,
  created_at timestamptz, first_seen timestamptz, last_seen timestamptz,
  labels_at bigint not null, capacity_at bigint not null,   -- ms of the samples that set them; 0 = never set
  primary key (tenant_id, cluster, name, instance_id)
);

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
  owner_id uuid,                                   -- of what nobody held
  primary key (tenant_id, node_id)
);
create index nodes_name on nodes (tenant_id, cluster, name);

-- What sample_hours holds of each device on each node: kept up to date with it,
-- so that nobody scans the samples to find the devices.
create table devices (
  tenant_id int not null, cluster text not null, node text not null, device text not null, device_index int not null,
  model text not null, in_mig boolean not null,
  first_hour timestamptz not null, last_hour timestamptz not null,
  first_at timestamptz not null, last_at timestamptz not null,  -- its first and last sample, whole seconds
  primary key (tenant_id, cluster, node, device, device_index)
);

create table sample_hours (
  tenant_id int not null, cluster text not null, device text not null, slice_id int not null, profile text not null,
  hour timestamptz not null,
  node text not null, device_index int not null, model text not null,
  first_at timestamptz not null, last_at timestamptz not null,  -- of its samples, whole seconds
  row_count bigint not null,
  vectors bytea not null,                  -- internal/minutes codec, compact already
  primary key (tenant_id, cluster, device, hour, slice_id, profile)
) partition by range (hour);
alter table sample_hours alter column vectors set storage external;
create index sample_hours_node on sample_hours (tenant_id, node, hour);  -- without cluster: fresh statistics must not prefer it to the key

create table hold_evidence (
  tenant_id int not null, cluster text not null, device text not null, slice_id int not null,
  namespace text not null, pod text not null, hour timestamptz not null,
  node text not null, minutes bigint not null,
  primary key (tenant_id, cluster, device, slice_id, namespace, pod, hour)
) partition by range (hour);
create index hold_evidence_node on hold_evidence (tenant_id, node, hour);

create table node_state_hours (
  tenant_id int not null, cluster text not null, name text not null, state text not null, hour timestamptz not null,
  minutes bigint not null, known bigint not null,
  primary key (tenant_id, cluster, name, state, hour)
) partition by range (hour);

create table source_hours (
  tenant_id int not null, cluster text not null, hour timestamptz not null, minutes bigint not null,
  primary key (tenant_id, cluster, hour)
);

create table pods (
  tenant_id int not null references tenants,
  cluster text not null, uid text not null, namespace text not null, name text not null, node text not null,
  owner_kind text not null default '', owner_name text not null default '',
  labels jsonb not null default '{}', requests jsonb not null default '{}',
  created_at timestamptz, scheduled_at timestamptz, started_at timestamptz, completed_at timestamptz, deleted_at timestamptz,
  terminal_at timestamptz, phase text not null default '',
  first_seen timestamptz, last_seen timestamptz,
  status_reason text not null default '', terminated_reason text not null default '', disruption_reason text not null default '',
  labels_at bigint not null default 0, requests_at bigint not null default 0,  -- ms of the samples that set them
  primary key (tenant_id, cluster, uid)
);
create index pods_node on pods (tenant_id, node);

create table pod_state_hours (
  tenant_id int not null, cluster text not null, uid text not null, hour timestamptz not null, minutes bigint not null,
  primary key (tenant_id, cluster, uid, hour)
);

create table objects (
  tenant_id int not null references tenants,
  cluster text not null, kind text not null, namespace text not null, name text not null,
  created_at timestamptz not null,         -- epoch when unknown
  owner_kind text not null default '', owner_name text not null default '',
  labels jsonb not null default '{}', attrs jsonb not null default '{}',
  labels_at bigint not null default 0, attrs_at bigint not null default 0,     -- ms of the samples that set them
  primary key (tenant_id, cluster, kind, namespace, name, created_at)
);

create table checkpoints (
  tenant_id int not null, cluster text not null, namespace text not null, pod text not null, at timestamptz not null,
  primary key (tenant_id, cluster, namespace, pod, at)
);

create table instance_events (
  tenant_id int not null, provider text not null, instance_id text not null, kind text not null, detail text not null, at timestamptz not null,
  account text not null default '', region text not null default '', event_id text not null default '',
  primary key (tenant_id, provider, instance_id, kind, detail, at, account)
);

create table inference_hours (
  tenant_id int not null, cluster text not null, namespace text not null, pod text not null,
  server text not null, model text not null, engine text not null, hour timestamptz not null,
  vectors bytea not null,
  primary key (tenant_id, cluster, namespace, pod, server, model, engine, hour)
);
---- create above / drop below ----
drop table inference_hours, instance_events, checkpoints, objects, pod_state_hours, pods, source_hours, node_state_hours, hold_evidence, sample_hours, devices, nodes, node_facts;
