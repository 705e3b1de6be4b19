-- What happened: nodes, devices, samples, workloads, events. Every row merges
-- commutatively, so loading twice or in any order gives the same rows.
set local lock_timeout = '5s';

create table nodes (
  tenant_id int not null references tenants,
  node_id   uuid not null,                 -- of the instance id, else of cluster and name
  cluster text not null, name text not null, provider_id text not null default '', instance_id text not null default '',
  labels jsonb not null default '{}', capacity jsonb not null default '{}',
  created_at timestamptz, first_seen timestamptz, last_seen timestamptz,
  attrs_at bigint not null default 0,
  in_bill boolean not null default false,  -- known from charges
  -- derived by allocation (docs/rules.md, section 2)
  appeared_at timestamptz, gone_at timestamptz,
  instance_type text, region text, zone text, price_class text, gpu_model text,
  gpus int not null default 0, replicas int not null default 1,
  account text,
  primary key (tenant_id, node_id)
);
create index nodes_name on nodes (tenant_id, cluster, name);

create table sample_hours (
  tenant_id int not null, cluster text not null, device text not null, slice_id int not null, profile text not null,
  hour timestamptz not null,
  node text not null, device_index int not null, model text not null,
  vectors bytea not null,                  -- internal/minutes codec
  row_count bigint not null,
  primary key (tenant_id, cluster, device, slice_id, profile, hour)
) partition by range (hour);
create index sample_hours_node on sample_hours (tenant_id, cluster, node, hour);

create table hold_evidence (
  tenant_id int not null, cluster text not null, device text not null, slice_id int not null,
  namespace text not null, pod text not null, hour timestamptz not null,
  node text not null, minutes bigint not null,
  primary key (tenant_id, cluster, device, slice_id, namespace, pod, hour)
) partition by range (hour);
create index hold_evidence_node on hold_evidence (tenant_id, cluster, node, hour);

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
  attrs_at bigint not null default 0,
  primary key (tenant_id, cluster, uid)
);
create index pods_node on pods (tenant_id, cluster, node);

create table pod_state_hours (
  tenant_id int not null, cluster text not null, uid text not null, hour timestamptz not null, minutes bigint not null,
  primary key (tenant_id, cluster, uid, hour)
);

create table objects (
  tenant_id int not null references tenants,
  cluster text not null, kind text not null, namespace text not null, name text not null,
  created_at timestamptz not null,         -- epoch when unknown
  owner_kind text not null default '', owner_name text not null default '',
  labels jsonb not null default '{}', attrs jsonb not null default '{}', attrs_at bigint not null default 0,
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
drop table inference_hours, instance_events, checkpoints, objects, pod_state_hours, pods, source_hours, node_state_hours, hold_evidence, sample_hours, nodes;
