-- What members lost that were lost while the others of their gang went on
-- (docs/rules.md 6.10).
set local lock_timeout = '5s';

alter table segments add column loss_basis text, add column loss_from timestamptz;
---- create above / drop below ----
alter table segments drop column loss_basis, drop column loss_from;
