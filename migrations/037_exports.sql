-- Exports of datasets on a schedule, and the outcome of each scheduled time.
set local lock_timeout = '5s';

create table export_schedules (
  tenant_id int not null references tenants,
  name text not null,
  dataset text not null,
  options text not null,                   -- of the report, as in an address: group-by=team
  format text not null,
  for_excel boolean not null,
  target text not null,                    -- folder, without secrets
  every text not null check (every in ('hourly', 'daily', 'weekly', 'monthly')),
  months int not null check (months > 0),  -- newest months with bills that a run exports
  keep int not null check (keep = 0 or keep >= months), -- months that stay at the target; 0: all
  changed_at timestamptz not null,
  changed_by text not null,
  done timestamptz,                        -- newest scheduled time whose run is done
  primary key (tenant_id, name)
);

create table export_runs (
  tenant_id int not null references tenants,
  name text not null,
  tick timestamptz not null,               -- scheduled time
  tries int not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  state text not null check (state in ('running', 'done', 'failed')),
  error text not null default '',
  written bigint not null default 0,
  kept bigint not null default 0,
  removed bigint not null default 0,
  rows bigint not null default 0,
  bytes bigint not null default 0,
  primary key (tenant_id, name, tick),
  foreign key (tenant_id, name) references export_schedules on delete cascade
);
---- create above / drop below ----
drop table export_runs;
drop table export_schedules;
