-- Pages show the dearest runs of a year: found by their sums, then looked up.
set local lock_timeout = '5s';

create index rollup_months_run on rollup_months_6 (tenant_id, run);
---- create above / drop below ----
drop index if exists rollup_months_run;
