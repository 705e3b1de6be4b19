-- What the OpenID provider tells when somebody signs out there.
set local lock_timeout = '5s';

-- With which session of the provider it began, a digest; null: the provider did not say.
alter table sessions add column provider_session bytea;

-- Logout tokens that were acted on, until they have expired: each counts once.
create table logout_tokens (
  tenant_id int not null references tenants, digest bytea not null,
  expires_at timestamptz not null,
  primary key (tenant_id, digest)
);
---- create above / drop below ----
drop table logout_tokens;
alter table sessions drop column provider_session;
