-- What must be worked out again after the ledger or what servers counted
-- changed. Writers append to stale_days; one reader at a time deals the days
-- out to the steps of analysis (analysis_days), which drop what they have done.
set local lock_timeout = '5s';

create table stale_days (
  mark_id bigint generated always as identity,
  tenant_id int not null references tenants,
  day timestamptz not null,
  what text not null check (what in ('ledger', 'counters')),
  primary key (tenant_id, day, mark_id)
);

create table analysis_days (
  tenant_id int not null references tenants,
  step text not null, day timestamptz not null,
  primary key (tenant_id, step, day)
);

insert into stale_days (tenant_id, day, what)
select distinct tenant_id, day, 'ledger' from chunks;
insert into stale_days (tenant_id, day, what)
select distinct tenant_id, date_trunc('day', hour, 'UTC'), 'counters' from counter_hours;
---- create above / drop below ----
drop table analysis_days, stale_days;
