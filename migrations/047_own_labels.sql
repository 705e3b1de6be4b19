-- Labels of one's own: what pod, root owner and namespace say, by folded key. They
-- are filled when facts are resolved next, and mark no day: nothing is computed
-- from them.
set local lock_timeout = '5s';

alter table workloads add column labels jsonb not null default '{}';
alter table runs add column labels jsonb not null default '{}';
delete from derived_state;
---- create above / drop below ----
alter table runs drop column labels;
alter table workloads drop column labels;
delete from derived_state;
