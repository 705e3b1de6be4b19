-- What dataset spot adds up to per day and per calendar month (UTC), in the way of
-- 031: money of spot machines and of what interruptions destroyed, without machine
-- and run; the same by hour of the day alone; and in which currencies machines are
-- paid. Null: unknown.
set local lock_timeout = '5s';

create table spot_days (
  tenant_id int not null, at timestamptz not null,
  part text not null, cluster text, region text, zone text, instance_type text, gpu_model text,
  namespace text, workload_class text, workload_kind text, kind text, owner_id uuid, state text not null, currency text,
  effective_cost numeric, lost_cost numeric, dead_cost numeric, instance_hours numeric,
  on_demand_equivalent numeric, gross_saving numeric, net_saving numeric,
  first_hour timestamptz not null, last_hour timestamptz not null
);
create index spot_days_at on spot_days (tenant_id, at);
create table spot_months (like spot_days);
create index spot_months_at on spot_months (tenant_id, at);

create table spot_hour_days (
  tenant_id int not null, at timestamptz not null,
  part text not null, hour_of_day text not null, state text not null, currency text,
  effective_cost numeric, lost_cost numeric, dead_cost numeric, instance_hours numeric,
  on_demand_equivalent numeric, gross_saving numeric, net_saving numeric,
  first_hour timestamptz not null, last_hour timestamptz not null
);
create index spot_hour_days_at on spot_hour_days (tenant_id, at);
create table spot_hour_months (like spot_hour_days);
create index spot_hour_months_at on spot_hour_months (tenant_id, at);

create table spot_node_days (
  tenant_id int not null, at timestamptz not null,
  node_id uuid not null, currency text
);
create index spot_node_days_at on spot_node_days (tenant_id, at);
create table spot_node_months (like spot_node_days);
create index spot_node_months_at on spot_node_months (tenant_id, at);

-- What was added up before these tables existed.
insert into analysis_days (tenant_id, step, day)
select tenant_id, 'costs', day from rolled_days
on conflict do nothing;
---- create above / drop below ----
drop table if exists spot_node_months, spot_node_days, spot_hour_months, spot_hour_days, spot_months, spot_days;
