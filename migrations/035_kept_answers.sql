-- Answers to requests with an idempotency key, for a day. A request that comes again gets the stored answer.
set local lock_timeout = '5s';

create table kept_answers (
  tenant_id int not null references tenants,
  client text not null,                    -- user, token or hash of an operator's token
  key text not null,                       -- the client's name for the request
  digest bytea not null,                   -- of method, address and body
  claimed_at timestamptz not null,
  status int,                              -- null while the request runs
  content_type text not null default '',
  location text not null default '',
  body bytea,
  primary key (tenant_id, client, key)
);
create index kept_answers_age on kept_answers (tenant_id, claimed_at);
---- create above / drop below ----
drop table kept_answers;
