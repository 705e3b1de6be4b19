-- Telemetry of machines, cards and servers: nodes, devices, samples, counters. Every row merges commutatively, so
-- loading twice or in any order gives the same rows.
set local lock_timeout = '5s';

-- Accepted requests whose facts are not stored yet, so that they survive a kill. Rows live for seconds.
create table inbox (
  tenant_id int not null references tenants,
  receiver uuid not null,                  -- the process that accepted it
  number bigint not null,                  -- its order there
  kind text not null,                      -- protocol of body
  sender text not null,
  received_at timestamptz not null,
  body bytea not null,                     -- as received, compressed
  primary key (tenant_id, receiver, number)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
        toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 5000,
        toast.autovacuum_vacuum_cost_delay = 0);
alter table inbox alter column body set storage external;

-- Nodes and devices. fillfactor 70: what lives is seen again every few seconds. ----

-- Telemetry about a machine. A fact with only a name is a separate row (instance_id '') and is folded into its machine
-- when read, so that the order of loading does not matter.
create table node_facts (
  tenant_id int not null references tenants,
  cluster text not null, name text not null, instance_id text not null,
  provider_id text not null,
  labels jsonb not null, capacity jsonb not null,
  created_at timestamptz, first_seen timestamptz, last_seen timestamptz,
  labels_at bigint not null, capacity_at bigint not null,   -- ms of the samples that set them; 0 = never set
  primary key (tenant_id, cluster, name, instance_id)
) with (fillfactor = 70);

-- Minutes in which a node was in a state, and minutes in which that is known: a bit a minute, as in all …_hours with
-- minutes.
create table node_state_hours (
  tenant_id int not null, cluster text not null, name text not null, state text not null, hour timestamptz not null,
  minutes bigint not null, known bigint not null,
  primary key (tenant_id, cluster, name, state, hour)
) partition by range (hour);

-- Minutes in which a source of a cluster delivered anything (docs/rules.md 2.6, 2.9): kubernetes and slurm report
-- placements, exporter means that cards were sampled.
create table source_hours (
  tenant_id int not null, cluster text not null, source text not null, hour timestamptz not null, minutes bigint not null,
  primary key (tenant_id, cluster, source, hour)
);

-- The extent of each device's rows in sample_hours on each node. It is updated with the samples, so that finding the
-- devices needs no scan of them.
create table devices (
  tenant_id int not null, cluster text not null, node text not null, device text not null, device_index int not null,
  model text not null, in_mig boolean not null,
  first_hour timestamptz not null, last_hour timestamptz not null,
  first_at timestamptz not null, last_at timestamptz not null,  -- its first and last sample, whole seconds
  primary key (tenant_id, cluster, node, device, device_index)
) with (fillfactor = 70);

-- Devices in the scheduler's register of a node and in rows that only have a card's MIG mode: cards that perhaps no
-- exporter ever showed (rules 2.4, 3.1).
create table device_facts (
  tenant_id int not null references tenants,
  cluster text not null, node text not null, device text not null,
  device_index int not null,                             -- -1: unknown; merges to the larger, as the model does
  model text not null,
  in_mig boolean not null, registered boolean not null,
  first_at timestamptz not null, last_at timestamptz not null,
  primary key (tenant_id, cluster, node, device)
) with (fillfactor = 70);

-- Samples -------------------------------------------------------------------------

-- Samples of a device or slice in an hour, minute by minute.
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
-- Without cluster: fresh statistics must not prefer it to the key.
create index sample_hours_node on sample_hours (tenant_id, node, hour);

-- Minutes in which exporter rows of a slice named a pod.
create table hold_evidence (
  tenant_id int not null, cluster text not null, device text not null, slice_id int not null,
  namespace text not null, pod text not null, hour timestamptz not null,
  node text not null, minutes bigint not null,
  primary key (tenant_id, cluster, device, slice_id, namespace, pod, hour)
) partition by range (hour);
create index hold_evidence_node on hold_evidence (tenant_id, node, hour);

-- Summaries of samples -------------------------------------------------------------
--
-- Hourly summaries of samples, kept forever: minute vectors are dropped after a while, their figures and sketches stay.
-- Places are referred to by number and figures are packed bit by bit (internal/store/facts/figures.go), which takes a
-- fifth of the space.

-- Signals by number.
create table sample_signals (
  tenant_id int not null references tenants, signal smallint not null, name text not null,
  primary key (tenant_id, signal)
);

-- The subjects of summaries: a device or slice in its place.
create table sample_places (
  tenant_id int not null references tenants, place_id int not null,  -- counted by tenant
  cluster text not null, device text not null, slice_id int not null, profile text not null,
  node text not null, device_index int not null, model text not null,
  primary key (tenant_id, place_id),
  unique (tenant_id, cluster, device, slice_id, profile, node, device_index, model)
);

create table sample_summaries (
  tenant_id int not null, place_id int not null, hour timestamptz not null,
  source bigint not null,                   -- first half of the md5 of the summarised vectors
  -- Minutes known, sum, smallest, largest, p50, p95 (nearest rank) of each signal.
  figures bytea not null,
  -- internal/sketch, of the signals with percentiles over many devices.
  sketches bytea not null,
  primary key (tenant_id, place_id, hour)
) partition by range (hour);
-- A page of samples begins with the first hours, and devices are derived day by day.
create index sample_summaries_hour on sample_summaries (tenant_id, hour);

-- Figures of a summary as rows; internal/store/facts/figures.go says how they are packed.
create function sample_figures(figures bytea)
returns table (signal smallint, minutes int, total bigint, low bigint, high bigint, p50 bigint, p95 bigint)
language plpgsql immutable strict rows 16 as $$
declare
  b bit varying := ('x' || encode(figures, 'hex'))::bit varying;
  steps bigint[] := '{1,100,1000,10000,1048576,1000000,1073741824,1000000000}';
  size int := bit_length(b);
  p int := 1;
  step bigint;
  wl int;
  wr int;
begin
  while p + 29 <= size loop
    signal := substring(b from p for 7)::int;
    exit when signal = 0;
    minutes := substring(b from p + 7 for 6)::int;
    step := steps[substring(b from p + 13 for 3)::int + 1];
    wl := substring(b from p + 16 for 7)::int;
    wr := substring(b from p + 23 for 7)::int;
    p := p + 30;
    if wl = 127 then
      low := substring(b from p for 64)::bigint;
      high := substring(b from p + 64 for 64)::bigint;
      p50 := substring(b from p + 128 for 64)::bigint;
      p95 := substring(b from p + 192 for 64)::bigint;
      total := substring(b from p + 256 for 64)::bigint;
      p := p + 320;
    else
      low := substring(b from p for wl)::bigint;
      low := (low >> 1) # -(low & 1);
      p := p + wl;
      if wr = 0 then
        high := low * step;
        p50 := high;
        p95 := high;
        total := minutes * high;
      else
        high := (low + substring(b from p for wr)::bigint) * step;
        p50 := (low + substring(b from p + wr for wr)::bigint) * step;
        p95 := (low + substring(b from p + 2 * wr for wr)::bigint) * step;
        total := (minutes * low + substring(b from p + 3 * wr for wr + 6)::bigint) * step;
        p := p + 4 * wr + 6;
      end if;
      low := low * step;
    end if;
    return next;
  end loop;
end $$;

-- Hours in which samples changed, written by the transaction that changed them. Each mark is a separate row: a
-- summariser deletes only the marks it has seen.
create table stale_hours (
  tenant_id int not null references tenants, hour timestamptz not null,
  mark_id uuid not null default gen_random_uuid(),
  primary key (tenant_id, hour, mark_id)
);

-- Minutes of earlier hours have been dropped: results allocated from them are not computed again.
create table sample_retention (
  tenant_id int primary key references tenants,
  dropped_before timestamptz not null,
  at timestamptz not null                   -- time of the drop
);

-- Counters of inference servers and controllers -------------------------------------

create table counter_hours (
  tenant_id int not null, cluster text not null, namespace text not null, pod text not null,
  server text not null, model text not null, engine text not null, hour timestamptz not null,
  vectors bytea not null,                                -- internal/minutes codec
  primary key (tenant_id, cluster, namespace, pod, server, model, engine, hour)
) partition by range (hour);
alter table counter_hours alter column vectors set storage external;
---- create above / drop below ----
drop table counter_hours, sample_retention, stale_hours;
drop function sample_figures(bytea);
drop table sample_summaries, sample_places, sample_signals, hold_evidence, sample_hours;
drop table device_facts, devices, source_hours, node_state_hours, node_facts, inbox;
