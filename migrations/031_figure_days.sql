-- What datasets of capacity and commitments add up to per day and per calendar
-- month (UTC), so that twelve months are read from some ten thousand rows and not
-- from all postings. They are filled, forgotten and read with the roll-ups of costs
-- (internal/store/daytables.go). at is the start of what a row adds up.
set local lock_timeout = '5s';

-- GPU-hours by hour of the week (0: Monday 00:00) and what they were: free, held
-- idle, stranded or unavailable, anything else. Null: none.
create table idle_days (
  tenant_id int not null, at timestamptz not null,
  cluster text, instance_type text, region text, gpu_model text, hour_of_week bigint not null,
  free numeric, held_idle numeric, out_of_reach numeric, rest numeric
);
create index idle_days_at on idle_days (tenant_id, at);
create table idle_months (like idle_days);
create index idle_months_at on idle_months (tenant_id, at);

-- Money of machines by what a commitment has to do with it. What a commitment
-- covered is added up by half day, as windows are halved at noon, too. Once by team
-- (owner_id: one of its owners), once by owner.
create table commitment_days (
  tenant_id int not null, at timestamptz not null,
  use text not null, provider text, billing_account text, account text, region text, cluster text, commitment text, commitment_type text,
  instance_type text, instance_family text, state text not null, currency text, team text, owner_id uuid,
  effective_cost numeric, worth numeric
);
create index commitment_days_at on commitment_days (tenant_id, at);
create table commitment_months (like commitment_days);
create index commitment_months_at on commitment_months (tenant_id, at);
create table commitment_owner_days (like commitment_days);
create index commitment_owner_days_at on commitment_owner_days (tenant_id, at);
create table commitment_owner_months (like commitment_days);
create index commitment_owner_months_at on commitment_owner_months (tenant_id, at);

-- Hours in which a team held any machine of a family.
create table held_days (
  tenant_id int not null, at timestamptz not null,
  team text not null, instance_family text, region text, hours numeric not null
);
create index held_days_at on held_days (tenant_id, at);
create table held_months (like held_days);
create index held_months_at on held_months (tenant_id, at);

-- What was added up before these tables existed.
insert into analysis_days (tenant_id, step, day)
select tenant_id, 'costs', day from rolled_days
on conflict do nothing;
---- create above / drop below ----
drop table if exists held_months, held_days, commitment_owner_months, commitment_owner_days, commitment_months, commitment_days, idle_months, idle_days;
