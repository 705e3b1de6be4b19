-- What a run may cost by its label max-cost-per-run, beside cost-budget-limit;
-- and what experiments came to (docs/figures.md 15.8).
set local lock_timeout = '5s';

alter table runs add column max_cost numeric;

create table experiment_results (
  tenant_id int not null references tenants,
  result_id uuid not null,                                -- of experiment, run, metric and time
  experiment text not null, run text not null default '', -- run: its id or name; '' where the file names none
  metric text not null, value numeric not null,
  baseline numeric, threshold numeric,
  lower_is_better boolean not null,
  at timestamptz,                                         -- of the result; null: the file does not say
  import_id uuid,
  primary key (tenant_id, result_id)
);
create index experiment_results_name on experiment_results (tenant_id, experiment, metric);
---- create above / drop below ----
drop table experiment_results;
alter table runs drop column max_cost;
