-- What runs and their attempts add up to per day, so that a run's whole life is
-- read from some rows and not from all that it was posted. unlisted and unpriced
-- say that GPU time of the row has no list price, and no on-demand price either; fees,
-- that it has shares of prepaid fees alone (docs/figures.md 15.4).
set local lock_timeout = '5s';

create table run_days (
  tenant_id int not null, day timestamptz not null, run_id text not null, attempt_id uuid,
  cause text not null, quality text, state text not null, currency text, pricing text,
  effective_cost numeric, effective_abs numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  on_demand numeric, unlisted boolean not null, unpriced boolean not null, fees boolean not null,
  gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric
);
create index run_days_day on run_days (tenant_id, day);
create index run_days_run on run_days (tenant_id, run_id);

-- What was added up before this table existed.
insert into analysis_days (tenant_id, step, day)
select tenant_id, 'costs', day from rolled_days
on conflict do nothing;
---- create above / drop below ----
drop table if exists run_days;
