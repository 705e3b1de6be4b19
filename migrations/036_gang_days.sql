-- What attempts paid while their gangs were not complete, per UTC day and calendar
-- month, in the way of 031: the dataset queue adds up no postings for it.
set local lock_timeout = '5s';

create table gang_days (
  tenant_id int not null, at timestamptz not null,
  run_id text not null, attempt_id uuid not null, currency text,
  effective_cost numeric
);
create index gang_days_at on gang_days (tenant_id, at);
create table gang_months (like gang_days);
create index gang_months_at on gang_months (tenant_id, at);

-- What was added up before these tables existed.
insert into analysis_days (tenant_id, step, day)
select tenant_id, 'costs', day from rolled_days
on conflict do nothing;
---- create above / drop below ----
drop table if exists gang_months, gang_days;
