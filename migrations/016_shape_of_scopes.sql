-- Facts about a scope that queries need before they are planned, computed together with its members.
set local lock_timeout = '5s';

alter table scopes
  add column whole_teams boolean not null default false,  -- wherever it has an owner of a team, it has the team
  add column anywhere boolean not null default false,     -- its owners are in all clusters; no whole clusters
  add column teams text[];                                -- of its owners; null: whole clusters, or unknown
---- create above / drop below ----
alter table scopes drop column teams, drop column anywhere, drop column whole_teams;
