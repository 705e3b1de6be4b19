-- Findings and advice: waste, recommendations, targets (docs/figures.md, sections 18, 19 and 23).
set local lock_timeout = '5s';

-- Waste (section 18) -----------------------------------------------------------------------
--
-- waste_days has the result of one UTC day for a subject, derived from the ledger and never from other days; findings
-- combine the days of a subject.

create table waste_days (
  tenant_id int not null, day timestamptz not null,
  scope text not null,                       -- holder, service, workload, device, node: the kind of subject
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
  scope text not null, subject_id uuid not null,          -- as in waste_days: replaced together
  from_at timestamptz not null, to_at timestamptz not null,
  open boolean not null,                     -- it extends to the end of the stored data
  risk boolean not null,                     -- its money is never added to that of idle kinds
  cluster text not null, node_id uuid, device text, slice_id int, mig_profile text,  -- null: none, or several
  instance_type text, gpu_model text,
  workload_id uuid, namespace text, workload_kind text, workload text, pod text, service text, run_id text,
  owner_id uuid,
  gpu_hours numeric,                         -- of the time it covers; null if it covers no device time
  quality text not null,                     -- measured, estimated, assumed: the worst of its inputs
  -- [{"name","value","unit","threshold"}]: the numbers that met the criterion.
  evidence jsonb not null,
  first_seen timestamptz not null,           -- end of the stored data when it was first found
  last_seen timestamptz not null,            -- and when it was last examined
  met_seconds bigint,                        -- how much of its interval met the criterion (18.1)
  primary key (tenant_id, finding_id)
);
create index findings_subject on findings (tenant_id, scope, subject_id);
create index findings_time on findings (tenant_id, to_at, from_at);

-- Effective cost of the time that a finding covers. No row: it covers nothing that has a cost.
create table finding_costs (
  tenant_id int not null, finding_id uuid not null, currency text not null,
  state text not null,                       -- the least settled of its postings
  effective_cost numeric not null,
  -- True for the first of the finding's currencies by name. Pages sum a year of findings: the row with a finding's
  -- hours is stored, not found by sorting.
  leads boolean not null default true,
  primary key (tenant_id, finding_id, currency),
  foreign key (tenant_id, finding_id) references findings on delete cascade
);

-- Recommendations (section 19) -----------------------------------------------------------------
--
-- demand_days has the demand of root workloads for cards on a UTC day; advice follows from many days.

create table demand_days (
  tenant_id int not null references tenants, day timestamptz not null,
  cluster text not null, namespace text not null, kind text not null, name text not null,  -- of the root owner
  gpu_model text not null, mig_profile text not null, price_class text not null, instance_type text not null,
  owner_id uuid not null, class text not null, run_kind text not null, service text not null,
  device_model text not null, region text not null, provider text not null,
  slices int not null,                        -- maximum that one of its workloads held in one hour
  gpu_hours numeric not null,
  hours int not null,                         -- slice-hours with telemetry that it held alone
  activity bytea not null, memory bytea not null,  -- internal/sketch, of those hours
  -- The memory of slices by their telemetry, for sizes of machines that are not in
  -- the catalogue (docs/figures.md, 19.2). 0: not measured.
  slice_memory bigint not null default 0,
  primary key (tenant_id, day, cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type,
    owner_id, class, run_kind)
);

-- The cost of that demand.
create table demand_costs (
  tenant_id int not null references tenants, day timestamptz not null,
  cluster text not null, namespace text not null, kind text not null, name text not null,
  gpu_model text not null, mig_profile text not null, price_class text not null, instance_type text not null,
  owner_id uuid not null, class text not null, run_kind text not null,
  currency text not null, state text not null,
  effective_cost numeric not null,
  primary key (tenant_id, day, cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type,
    owner_id, class, run_kind, currency)
);

-- Recommendations and their outcome.
create table recommendations (
  tenant_id int not null references tenants, recommendation_id uuid not null,
  kind text not null,
  cluster text not null, namespace text not null, workload_kind text not null, name text not null,
  owner_id uuid not null, gpu_model text not null,
  from_at timestamptz not null, to_at timestamptz not null,    -- of the evidence
  proposal text not null, evidence jsonb not null,
  confidence text not null, effort text not null, risk text not null,
  -- Null without a price; it is not 0. A month is only given from seven days on (19.1).
  effective_cost numeric, saving numeric, saving_per_month numeric,
  currency text not null, state text not null,
  holds boolean not null,                     -- still supported by the newest evidence
  first_seen timestamptz not null, last_seen timestamptz not null,  -- ends of evidence
  realised_saving numeric, realised_hours int, -- since it was done; null: not yet a day
  -- Of commitments (19.4).
  instrument text, quantity bigint, term_months bigint, break_even_months numeric, stranded numeric,
  claims text[] not null default '{}',        -- costs that it would save on
  counted_in uuid,                            -- the recommendation that counts instead, with the same claim
  primary key (tenant_id, recommendation_id)
);

-- What people decided; no row: open.
create table recommendation_states (
  tenant_id int not null, recommendation_id uuid not null,
  status text not null check (status in ('open', 'accepted', 'dismissed', 'done')),
  note text not null, by_name text not null, at timestamptz not null,
  -- When it was done: the subject's cost per hour of the evidence, to measure savings by.
  done_day timestamptz, cost_before numeric, hours_before int,
  primary key (tenant_id, recommendation_id),
  foreign key (tenant_id, recommendation_id) references recommendations
);

-- Targets (section 23) ------------------------------------------------------------------------------

-- Inputs of targets, day by day: numerators and denominators, so that any span of days has its own ratio.
create table target_days (
  tenant_id int not null references tenants, day timestamptz not null,
  target text not null,
  subject text not null,                 -- a model; empty: the whole fleet
  unit text not null, currency text not null,   -- of costs per unit, else empty
  numerator numeric not null, denominator numeric not null,
  primary key (tenant_id, target, subject, unit, currency, day)
);
---- create above / drop below ----
drop table target_days, recommendation_states, recommendations, demand_costs, demand_days;
drop table finding_costs, findings, waste_days;
