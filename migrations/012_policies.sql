-- The policy as versioned data (docs/rules.md, section 11).
set local lock_timeout = '5s';

drop table policies; -- was never written

create table policy_versions (
  tenant_id      int  not null references tenants,
  version        text not null,
  valid_from     timestamptz not null,       -- start of a UTC day; -infinity: always
  document       text not null,              -- as written
  note           text not null default '',
  margin_seconds bigint not null,            -- how far a change of telemetry reaches beyond its day
  created_at     timestamptz not null,
  created_by     text not null,
  withdrawn_at   timestamptz,                -- no longer holds from then on; never deleted
  primary key (tenant_id, version)
);
create unique index policy_versions_from on policy_versions (tenant_id, valid_from) where withdrawn_at is null;
---- create above / drop below ----
drop table policy_versions;
create table policies (
  tenant_id  int  not null references tenants,
  version    text not null,
  valid_from timestamptz not null,
  settings   jsonb not null,
  primary key (tenant_id, version)
);
