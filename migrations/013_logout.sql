-- Sign-outs that the OpenID provider reports.
set local lock_timeout = '5s';

-- Digest of the provider session that it began with; null: unknown.
alter table sessions add column provider_session bytea;

-- Used logout tokens, until they expire: each counts once.
create table logout_tokens (
  tenant_id int not null references tenants, digest bytea not null,
  expires_at timestamptz not null,
  primary key (tenant_id, digest)
);
---- create above / drop below ----
drop table logout_tokens;
alter table sessions drop column provider_session;
