-- What the ledger adds up to is in schema star, whose tables follow from
-- declarations (internal/star): gpuledger makes them after the migrations, and the
-- days are added up again.
set local lock_timeout = '5s';

drop table rollup_months, rollup_hours, rollup_days, rollup_groups, run_days, idle_days, idle_months, held_days, held_months,
  commitment_days, commitment_months, commitment_owner_days, commitment_owner_months, level_days,
  spot_days, spot_months, spot_hour_days, spot_hour_months, spot_node_days, spot_node_months, gang_days, gang_months, model_days, model_months;
create schema star;
comment on schema star is 'What the ledger adds up to. Nobody writes here but gpuledger; what is here can be made again.';
---- create above / drop below ----
drop schema star cascade;
