-- The memory of slices by their telemetry, for sizes of machines that are not in
-- the catalogue (docs/figures.md, 19.2). 0: not measured, as for days before.
set local lock_timeout = '5s';

alter table demand_days add slice_memory bigint not null default 0;
---- create above / drop below ----
alter table demand_days drop slice_memory;
