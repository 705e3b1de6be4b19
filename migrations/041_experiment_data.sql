-- Results of experiments name the version of the model and the dataset, with its size (docs/figures.md 15.8).
set local lock_timeout = '5s';

alter table experiment_results
  add column model_version text not null default '', -- '': not given
  add column dataset text not null default '',
  add column dataset_size numeric,                    -- null: not given
  add column dataset_unit text not null default '';
---- create above / drop below ----
alter table experiment_results
  drop column model_version, drop column dataset, drop column dataset_size, drop column dataset_unit;
