-- What others sell by way of a provider's bill: no support is billed on it (docs/rules.md, 8.8).
set local lock_timeout = '5s';

-- Bills of before do not say it: they are cut as they were until they are delivered again.
alter table charge_items add column marketplace boolean not null default false;
---- create above / drop below ----
alter table charge_items drop column marketplace;
