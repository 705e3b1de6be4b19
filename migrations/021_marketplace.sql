-- Products that others sell through a provider's bill: no support is billed on them (docs/rules.md, 8.8).
set local lock_timeout = '5s';

-- Existing bills do not have it: they are cut as before until they are delivered again.
alter table charge_items add column marketplace boolean not null default false;
---- create above / drop below ----
alter table charge_items drop column marketplace;
