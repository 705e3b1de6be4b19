-- What became of the configured sources when they were looked at.
set local lock_timeout = '5s';

create table source_states (
  tenant_id   int   not null references tenants,
  source      text  not null,                      -- its name in the configuration
  tick        timestamptz not null default '-infinity', -- the last scheduled time that was dealt with
  state       text  not null check (state in ('published', 'unchanged', 'older', 'skipped', 'refused', 'failed')),
  message     text  not null default '',           -- why it was refused or failed
  listing     bytea not null default '',           -- digest of what was listed when it was last imported
  versions    jsonb not null default '{}',         -- path -> version of what is imported piece by piece (BigQuery)
  looked_at   timestamptz not null,
  imported_at timestamptz,                         -- the last success
  primary key (tenant_id, source)
);
---- create above / drop below ----
drop table source_states;
