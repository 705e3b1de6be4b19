-- Contracted cost of on-demand machines (docs/figures.md, 15.4): a spot hour takes the rate of the nearest day in the
-- ledger with such lines.
set local lock_timeout = '5s';

create table on_demand_hours (
  tenant_id int not null, account text not null, instance_type text not null, region text not null,
  currency text not null, hour timestamptz not null,
  cost numeric not null, seconds bigint not null, -- contracted, discounts included; of machines
  primary key (tenant_id, account, instance_type, region, currency, hour)
);
create index on_demand_hours_hour on on_demand_hours (tenant_id, hour);

-- Earlier days are computed again.
insert into analysis_days (tenant_id, step, day)
select d.tenant_id, s.step, d.day from rolled_days d cross join (values ('on_demand'), ('rates'), ('costs')) s(step)
on conflict do nothing;
---- create above / drop below ----
delete from analysis_days where step = 'on_demand';
drop table on_demand_hours;
