-- Spot machines that were taken away (docs/figures.md, 20.1), worked out from
-- nodes and events after each allocation.
set local lock_timeout = '5s';

create table spot_interruptions (
  tenant_id int not null references tenants,
  node_id uuid not null,
  at timestamptz not null,                        -- when the machine ended
  warned_at timestamptz not null,                 -- the last warning before
  primary key (tenant_id, node_id)
);

-- The step has days when the ledger changes, when a warning comes, and once now.
create function mark_spot_warnings() returns trigger language plpgsql as $$
begin
  insert into analysis_days (tenant_id, step, day)
  select distinct tenant_id, 'spot', date_trunc('day', at, 'UTC') from fresh where kind = 'interruption_warning'
  on conflict do nothing;
  return null;
end $$;
create trigger mark_spot_warnings after insert on instance_events
  referencing new table as fresh for each statement execute function mark_spot_warnings();
insert into analysis_days (tenant_id, step, day)
select distinct tenant_id, 'spot', date_trunc('day', at, 'UTC') from instance_events where kind = 'interruption_warning';

-- What CPU and memory pods used on a day: sketches (internal/sketch) of
-- thousandths of a core and of bytes, by minute over all containers.
create table pod_use_days (
  tenant_id int not null references tenants,
  day timestamptz not null,
  cluster text not null, namespace text not null, pod text not null,
  cpu bytea, memory bytea,                        -- null: not measured
  primary key (tenant_id, day, cluster, namespace, pod)
);

-- Requests against use, by root owner (docs/figures.md, 22.3).
create table request_use (
  tenant_id int not null references tenants,
  cluster text not null, namespace text not null, kind text not null, name text not null,
  days int not null,                              -- with samples
  cpu_p95 bigint, cpu_p99 bigint, cpu_requested bigint,             -- thousandths of a core, of a pod
  memory_p95 bigint, memory_p99 bigint, memory_requested bigint,    -- bytes, of a pod
  pods bigint not null, owner_id uuid,
  primary key (tenant_id, cluster, namespace, kind, name)
);
---- create above / drop below ----
drop table request_use, pod_use_days;
drop trigger mark_spot_warnings on instance_events;
drop function mark_spot_warnings();
delete from analysis_days where step = 'spot';
drop table spot_interruptions;
