-- Charges by number: every word of a bill once, narrow rows that COPY fast.
set local lock_timeout = '5s';

-- How far an import is, for pages to show while it runs.
alter table imports
  add column phase       text,
  add column phase_since timestamptz,             -- start of the phase
  add column progress_at timestamptz,             -- when this was written
  add column files_done  int    not null default 0,
  add column bytes_done  bigint not null default 0,
  add column rows_done   bigint not null default 0;
---- create above / drop below ----
alter table imports drop column rows_done, drop column bytes_done, drop column files_done, drop column progress_at, drop column phase_since, drop column phase;
