-- Who may see what: users, their sessions, tokens, and what a scope is made of
-- (migration 007 has its members). Rows are seen by policies that follow from
-- internal/store/access and internal/star; gpuledger makes them after the migrations.
set local lock_timeout = '5s';

-- Conditions as somebody wrote them: what one of them holds for is in scope. The digest
-- is of the members, so that answers can tell that these changed.
alter table scopes
  add column conditions text[] not null default '{}',
  add column digest text not null default '';

create table users (
  tenant_id int not null references tenants, user_id uuid not null,
  name text not null, role text not null,
  scope_id uuid,                                  -- null: everything
  password text,                                  -- argon2id, PHC; null: none yet
  created_at timestamptz not null, disabled_at timestamptz,
  primary key (tenant_id, user_id),
  unique (tenant_id, name),
  foreign key (tenant_id, scope_id) references scopes
);

-- Links with which a user chooses a password, once. Of secrets a SHA-256 is kept, here
-- and below.
create table user_links (
  tenant_id int not null, digest bytea not null,
  user_id uuid not null, expires_at timestamptz not null,
  primary key (tenant_id, digest),
  foreign key (tenant_id, user_id) references users on delete cascade
);

create table sessions (
  tenant_id int not null, digest bytea not null,
  session_id uuid not null, user_id uuid not null,
  created_at timestamptz not null, seen_at timestamptz not null, expires_at timestamptz not null,
  address text not null, agent text not null,     -- where it was begun
  primary key (tenant_id, digest),
  foreign key (tenant_id, user_id) references users on delete cascade
);
create index sessions_user on sessions (tenant_id, user_id);

create table tokens (
  tenant_id int not null references tenants, token_id uuid not null,
  name text not null, role text not null,
  scope_id uuid,                                  -- null: everything
  digest bytea not null,
  created_at timestamptz not null, expires_at timestamptz,
  revoked_at timestamptz, used_at timestamptz,
  primary key (tenant_id, token_id),
  unique (tenant_id, digest),
  foreign key (tenant_id, scope_id) references scopes
);

-- Sign-ins that failed, by name and address: whoever guesses waits, others do not.
create table sign_in_failures (
  tenant_id int not null references tenants, name text not null, address text not null, at timestamptz not null
);
create index sign_in_failures_of on sign_in_failures (tenant_id, name, address, at);

-- Whose rows a session sees: a login that has a scope sees this one, whatever it sets.
-- Who may all that the owner of the tables may, as the server, says for whom it asks by
-- "set local gpuledger.scope"; as itself it sees everything, and as another role, which
-- it becomes to ask for somebody, nothing without.
create or replace function session_scope() returns scopes
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  with bound as (
    select scope_id from scope_logins where login = session_user and scope_id is not null
  ), asked as (
    select nullif(current_setting('gpuledger.scope', true), '')::uuid as scope_id
    where not exists (select from bound)
      and pg_has_role(session_user, (select relowner from pg_class where oid = 'public.scopes'::regclass), 'member')
  )
  select s from scopes s where s.scope_id in (select scope_id from bound union all select scope_id from asked)
  union all
  select row(t.tenant_id, '00000000-0000-0000-0000-000000000000', true, '{}', '')::scopes
  from tenants t, asked
  where asked.scope_id is null and current_setting('role') = 'none' and t.tenant_id = 1
$$;

-- Who reads a view reads the tables under it by his own rights.
alter view postings set (security_invoker = true);
alter view charges set (security_invoker = true);
alter view charge_lines set (security_invoker = true);
alter view posted_rates set (security_invoker = true);
alter view run_splits set (security_invoker = true);

-- What bill lines are called, without amounts and tags: somebody whose postings are of
-- a line may know its service, and not what the line cost. By the owner's rights.
create view charge_words as
select r.tenant_id, r.delivery, r.charge_id, r.tag_set, i.provider, s.billing_account, s.account, i.category, i.service_name,
  i.region, i.zone, i.instance_type, i.price_class, i.commitment_id
from charge_rows r
left join charge_scopes s on s.tenant_id = r.tenant_id and s.delivery = r.delivery and s.scope = r.scope
left join charge_items i on i.tenant_id = r.tenant_id and i.delivery = r.delivery and i.item = r.item;

-- Which deliveries and hours a part is of, without amounts.
create view part_words as
select tenant_id, hour, part_id, node_id, delivery_id, charge_id, kind, usage_seconds from parts;
create view delivery_words as
select tenant_id, delivery_id, number from deliveries;

-- Scopes of lines that are of the book, for pod_splits, which adds up what a provider
-- splits among pods: an export that is evidence says the same once more.
create view book_scopes as
select c.tenant_id, c.delivery, c.scope, c.currency
from charge_scopes c
join deliveries d on d.tenant_id = c.tenant_id and d.number = c.delivery and d.state = 'current'
where exists (
  select from control_totals t
  where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
    and t.account = c.account and t.billing_period = c.billing_period
    and t.currency = c.currency and t.role = 'book');
create or replace view pod_splits with (security_invoker = true) as
select w.tenant_id, w.workload_id, w.run_id, c.currency, s.resource, s.used, s.unused
from workloads w
join charge_splits s on s.tenant_id = w.tenant_id and s.pod_uid = w.uid
join book_scopes c on c.tenant_id = s.tenant_id and c.delivery = s.delivery and c.scope = s.scope
where w.uid <> '';
---- create above / drop below ----
create or replace view pod_splits as
select w.tenant_id, w.workload_id, w.run_id, c.currency, s.resource, s.used, s.unused
from workloads w
join charge_splits s on s.tenant_id = w.tenant_id and s.pod_uid = w.uid
join deliveries d on d.tenant_id = s.tenant_id and d.number = s.delivery and d.state = 'current'
join charge_scopes c on c.tenant_id = s.tenant_id and c.delivery = s.delivery and c.scope = s.scope
where w.uid <> '' and exists (
  select from control_totals t
  where t.tenant_id = d.tenant_id and t.delivery_id = d.delivery_id
    and t.account = c.account and t.billing_period = c.billing_period
    and t.currency = c.currency and t.role = 'book');
alter view pod_splits reset (security_invoker);
drop view book_scopes, delivery_words, part_words, charge_words;
alter view run_splits reset (security_invoker);
alter view posted_rates reset (security_invoker);
alter view charge_lines reset (security_invoker);
alter view charges reset (security_invoker);
alter view postings reset (security_invoker);
drop table sign_in_failures, tokens, sessions, user_links, users;
create or replace function session_scope() returns scopes
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select s from scope_logins l
  join scopes s on s.tenant_id = l.tenant_id
    and s.scope_id = coalesce(l.scope_id, nullif(current_setting('gpuledger.scope', true), '')::uuid)
  where l.login = session_user
$$;
alter table scopes drop column digest, drop column conditions;
