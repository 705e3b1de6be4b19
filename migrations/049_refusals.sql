-- Files and deliveries that were refused are counted apart from rows.
set local lock_timeout = '5s';

alter table imports add column refused bigint; -- null: recorded when they were counted among the rejected rows
alter table import_counts drop constraint import_counts_kind_check,
  add constraint import_counts_kind_check check (kind in ('rejected', 'ignored', 'refused'));
---- create above / drop below ----
delete from import_counts where kind = 'refused';
alter table import_counts drop constraint import_counts_kind_check,
  add constraint import_counts_kind_check check (kind in ('rejected', 'ignored'));
alter table imports drop column refused;
