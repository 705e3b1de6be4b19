-- What an hour of a spot machine would have cost on demand, and who says so
-- (docs/figures.md, 15.4), one row per machine, hour and currency; and, where
-- money of spot is added up, for how much of it that is known.
set local lock_timeout = '5s';

create table spot_rates (
  tenant_id int not null, node_id uuid not null, hour timestamptz not null, currency text not null,
  source text not null, detail text not null, hourly numeric, gpus int not null,
  primary key (tenant_id, node_id, hour, currency)
);
create index spot_rates_hour on spot_rates (tenant_id, hour);

-- What a posting would have cost on demand: the public price that its own line
-- states, else the rate of its hour for the part of the machine that it is of; a
-- posting without quantities is of an hour that another one has. Null: unknown.
create function on_demand_cost(source text, hourly numeric, gpus int, list_cost numeric, gpu_hours numeric) returns numeric language sql immutable as $$
  select case when hourly is null then null
              when source = 'bill' then case when gpu_hours is null then coalesce(list_cost, 0) else list_cost end
              when gpu_hours is null then 0
              else round(hourly * gpu_hours / nullif(gpus, 0), 12) end
$$;

alter table spot_days add column known_hours numeric, add column unknown_cost numeric, drop column net_saving;
alter table spot_months add column known_hours numeric, add column unknown_cost numeric, drop column net_saving;
alter table spot_hour_days add column known_hours numeric, add column unknown_cost numeric, drop column net_saving;
alter table spot_hour_months add column known_hours numeric, add column unknown_cost numeric, drop column net_saving;
alter table run_days drop column unlisted, add column spot_saving numeric, add column spot_known_hours numeric, add column spot_unknown_cost numeric;

-- What was added up before.
insert into stale_days (tenant_id, day, what) select tenant_id, day, 'ledger' from rolled_days;
---- create above / drop below ----
alter table if exists run_days drop column spot_saving, drop column spot_known_hours, drop column spot_unknown_cost, add column unlisted boolean not null default false;
alter table if exists run_days alter column unlisted drop default;
alter table if exists spot_hour_months drop column known_hours, drop column unknown_cost, add column net_saving numeric;
alter table if exists spot_hour_days drop column known_hours, drop column unknown_cost, add column net_saving numeric;
alter table if exists spot_months drop column known_hours, drop column unknown_cost, add column net_saving numeric;
alter table if exists spot_days drop column known_hours, drop column unknown_cost, add column net_saving numeric;
drop function on_demand_cost(text, numeric, int, numeric, numeric);
drop table spot_rates;
delete from analysis_days where step = 'rates';
insert into stale_days (tenant_id, day, what) select tenant_id, day, 'ledger' from rolled_days;
