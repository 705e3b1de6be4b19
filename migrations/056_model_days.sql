-- What models cost by owner, run and service, per UTC day and calendar month, in
-- the way of 031: the dataset models adds up no postings.
set local lock_timeout = '5s';

create table model_days (
  tenant_id int not null, at timestamptz not null,
  owner_id uuid not null, run_id text, workload_class text, service text, currency text,
  state text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, active_gpu_hours numeric, first_hour timestamptz not null, last_hour timestamptz not null
);
create index model_days_at on model_days (tenant_id, at);
create table model_months (like model_days);
create index model_months_at on model_months (tenant_id, at);

-- What was added up before these tables existed.
insert into analysis_days (tenant_id, step, day)
select tenant_id, 'costs', day from rolled_days
on conflict do nothing;
---- create above / drop below ----
drop table if exists model_months, model_days;
