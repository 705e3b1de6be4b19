-- The budget of a run is its label max-cost-per-run alone (docs/figures.md 15.5).
set local lock_timeout = '5s';

update runs set budget = max_cost where budget is distinct from max_cost;
alter table runs drop column max_cost cascade; -- migrations create the views of bi_v1 that read it again
---- create above / drop below ----
alter table runs add column max_cost numeric;
update runs set max_cost = budget, budget = null where budget is not null; -- the next allocation reads both labels
