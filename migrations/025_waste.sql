-- Waste (docs/figures.md, section 18). waste_days is what one UTC day says of a
-- subject, worked out from the ledger and never from other days; findings are
-- what the days of a subject come to.
set local lock_timeout = '5s';

create table waste_days (
  tenant_id int not null, day timestamptz not null,
  scope text not null,                       -- holder, service, workload, device, node: what the key is of
  subject_id uuid not null,                  -- hash of scope and subject
  trace jsonb not null,                      -- metrics/waste.Trace
  primary key (tenant_id, day, scope, subject_id)
) partition by range (day);
create index waste_days_subject on waste_days (tenant_id, scope, subject_id);

-- One row per finding. Its id is a hash of kind, subject and start: it stays
-- while an open finding grows. A finding that no longer holds is deleted.
create table findings (
  tenant_id int not null references tenants, finding_id uuid not null,
  kind text not null, subject text not null,
  scope text not null, subject_id uuid not null,          -- as in waste_days: what is replaced together
  from_at timestamptz not null, to_at timestamptz not null,
  open boolean not null,                     -- it reaches the end of what is stored
  risk boolean not null,                     -- its money is never added to that of idle kinds
  cluster text not null, node_id uuid, device text, slice_id int, mig_profile text,  -- null: none, or several
  instance_type text, gpu_model text,
  workload_id uuid, namespace text, workload_kind text, workload text, pod text, service text, run_id text, owner_id uuid,
  gpu_hours numeric,                         -- of what it covers; null where it covers no device time
  quality text not null,                     -- measured, estimated, assumed: the worst of what it is made of
  evidence jsonb not null,                   -- [{"name","value","unit","threshold"}]: the numbers that met the criterion
  first_seen timestamptz not null,           -- end of what was stored when it was found first
  last_seen timestamptz not null,            -- and when it was looked at last
  primary key (tenant_id, finding_id)
);
create index findings_subject on findings (tenant_id, scope, subject_id);
create index findings_time on findings (tenant_id, to_at, from_at);

-- Effective cost of what a finding covers. No row: it covers nothing that has a cost.
create table finding_costs (
  tenant_id int not null, finding_id uuid not null, currency text not null,
  state text not null,                       -- the least settled of its postings
  effective_cost numeric not null,
  primary key (tenant_id, finding_id, currency),
  foreign key (tenant_id, finding_id) references findings on delete cascade
);

-- All days are dealt to the step as if they had changed.
insert into stale_days (tenant_id, day, what)
select distinct tenant_id, day, 'ledger' from chunks;
---- create above / drop below ----
drop table finding_costs, findings, waste_days;
