-- Lines that a provider split from another charge for somebody (docs/rules.md, 8.31).
set local lock_timeout = '5s';

-- Existing bills do not have it: they are cut as before until they are delivered again.
alter table charge_items add column allocated boolean not null default false;
---- create above / drop below ----
alter table charge_items drop column allocated;
