-- What questions ask of a scope before they are planned, worked out with its members when they are next.
set local lock_timeout = '5s';

alter table scopes
  add column whole_teams boolean not null default false,  -- of each team that it has any owner of it has all, wherever it has it
  add column anywhere boolean not null default false,     -- it has its owners wherever they are, and no cluster as a whole
  add column teams text[];                                -- that it has any owner of, wherever; null: clusters of all teams, or not known
---- create above / drop below ----
alter table scopes drop column teams, drop column anywhere, drop column whole_teams;
