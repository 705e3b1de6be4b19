-- Recommendations (docs/figures.md, section 19). demand_days is what root
-- workloads needed of cards on a UTC day; what is advised follows from many days.
set local lock_timeout = '5s';

create table demand_days (
  tenant_id int not null references tenants, day timestamptz not null,
  cluster text not null, namespace text not null, kind text not null, name text not null,  -- of the root owner
  gpu_model text not null, mig_profile text not null, price_class text not null, instance_type text not null, owner_id uuid not null,
  class text not null, run_kind text not null, service text not null,
  device_model text not null, region text not null, provider text not null,
  slices int not null,                        -- most that one of its workloads held in one hour
  gpu_hours numeric not null,
  hours int not null,                         -- slice-hours with telemetry that it had to itself
  activity bytea not null, memory bytea not null,  -- internal/sketch, of those hours
  primary key (tenant_id, day, cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind)
);

create table demand_costs (
  tenant_id int not null references tenants, day timestamptz not null,
  cluster text not null, namespace text not null, kind text not null, name text not null,
  gpu_model text not null, mig_profile text not null, price_class text not null, instance_type text not null, owner_id uuid not null,
  class text not null, run_kind text not null,
  currency text not null, state text not null,
  effective_cost numeric not null,
  primary key (tenant_id, day, cluster, namespace, kind, name, gpu_model, mig_profile, price_class, instance_type, owner_id, class, run_kind, currency)
);

create table recommendations (
  tenant_id int not null references tenants, recommendation_id uuid not null,
  kind text not null,
  cluster text not null, namespace text not null, workload_kind text not null, name text not null,
  owner_id uuid not null, gpu_model text not null,
  from_at timestamptz not null, to_at timestamptz not null,    -- of the evidence
  proposal text not null, evidence jsonb not null,
  confidence text not null, effort text not null, risk text not null,
  effective_cost numeric not null, saving numeric not null, saving_per_month numeric not null,
  currency text not null, state text not null,
  holds boolean not null,                     -- the newest evidence says it still
  first_seen timestamptz not null, last_seen timestamptz not null,  -- ends of evidence
  realised_saving numeric, realised_hours int, -- since it was done; null: not yet a day
  primary key (tenant_id, recommendation_id)
);

-- What people decided; no row: open.
create table recommendation_states (
  tenant_id int not null, recommendation_id uuid not null,
  status text not null check (status in ('open', 'accepted', 'dismissed', 'done')),
  note text not null, by_name text not null, at timestamptz not null,
  -- When it was done: what its subject cost per hour of the evidence, to measure by.
  done_day timestamptz, cost_before numeric, hours_before int,
  primary key (tenant_id, recommendation_id),
  foreign key (tenant_id, recommendation_id) references recommendations
);

insert into stale_days (tenant_id, day, what)
select distinct tenant_id, day, 'ledger' from chunks;
---- create above / drop below ----
delete from analysis_days where step in ('demand', 'advice');
drop table recommendation_states, recommendations, demand_costs, demand_days;
