-- What targets are judged by, day by day: numerators and denominators, so that
-- any span of days has its own ratio (docs/figures.md, section 23).
set local lock_timeout = '5s';

create table target_days (
  tenant_id int not null references tenants, day timestamptz not null,
  target text not null,
  subject text not null,                 -- a model; empty: the whole fleet
  unit text not null, currency text not null,   -- of costs per unit, else empty
  numerator numeric not null, denominator numeric not null,
  primary key (tenant_id, target, subject, unit, currency, day)
);

-- What was analysed before this step existed.
insert into analysis_days (tenant_id, step, day)
select distinct tenant_id, 'targets', day from chunks
on conflict do nothing;
---- create above / drop below ----
delete from analysis_days where step = 'targets';
drop table target_days;
