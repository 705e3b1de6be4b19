-- Access: users, their sessions and tokens, and the conditions of scopes (migration 007 has their members). Row
-- visibility is set by policies that follow from internal/store/access and internal/star; gpuledger creates them after
-- the migrations.
set local lock_timeout = '5s';

-- Conditions as the user wrote them: rows that satisfy at least one are in scope. The digest covers the members, so
-- that cached answers can be invalidated.
alter table scopes
  add column conditions text[] not null default '{}',
  add column digest text not null default '';

create table users (
  tenant_id int not null references tenants, user_id uuid not null,
  name text not null, role text not null,
  scope_id uuid,                                  -- null: everything
  password text,                                  -- argon2id, PHC; null: none yet
  created_at timestamptz not null, disabled_at timestamptz,
  seen_at timestamptz,                            -- to the minute; null: never
  issuer text, subject text,                      -- identity at their provider; null: they sign in here
  primary key (tenant_id, user_id),
  unique (tenant_id, name),
  unique (tenant_id, issuer, subject),
  check ((issuer is null) = (subject is null)),
  foreign key (tenant_id, scope_id) references scopes
);

-- Links with which a user chooses a password, once. Secrets are stored as SHA-256, here and below.
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
  as_user_id uuid,                                -- the user as whom an admin sees
  primary key (tenant_id, digest),
  foreign key (tenant_id, user_id) references users on delete cascade,
  foreign key (tenant_id, as_user_id) references users on delete cascade
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

-- Failed sign-ins, by name and address: only the guesser waits, others do not.
create table sign_in_failures (
  tenant_id int not null references tenants, name text not null, address text not null, at timestamptz not null
);
create index sign_in_failures_of on sign_in_failures (tenant_id, name, address, at);

-- Sign-ins that were begun at a provider, each finished at most once. Only the browser knows the state itself.
create table sign_in_requests (
  tenant_id int not null references tenants, digest bytea not null,
  nonce text not null, verifier text not null, back text not null,
  address text not null,                          -- where it was begun
  expires_at timestamptz not null,
  primary key (tenant_id, digest)
);
create index sign_in_requests_of on sign_in_requests (tenant_id, address);

-- The scope of a session. A login with a scope has that one, and no setting changes it. A role with the rights of the
-- tables' owner, such as the server, sets the scope by "set local gpuledger.scope". As itself it sees everything; as
-- the reader role, which it takes to read for a user, it sees nothing without a scope.
--
-- A statement calls these functions for each table and each partition that it reads: plpgsql keeps their plans.
create or replace function session_scope() returns scopes
language plpgsql stable security definer parallel safe set search_path = public, pg_temp as $$
declare
  mine scopes;
  asked uuid;
begin
  select s.* into mine from scope_logins l join scopes s on s.tenant_id = l.tenant_id and s.scope_id = l.scope_id where l.login = session_user;
  if found then
    mine.conditions := '{}';
    mine.digest := '';
    return mine;
  end if;
  if not pg_has_role(session_user, (select relowner from pg_class where oid = 'public.scopes'::regclass), 'member') then
    return null;
  end if;
  asked := nullif(current_setting('gpuledger.scope', true), '')::uuid;
  if asked is not null then
    select s.* into mine from scopes s where s.scope_id = asked;
  elsif current_setting('role') = 'none' then
    mine.tenant_id := 1;
    mine.scope_id := '00000000-0000-0000-0000-000000000000';
    mine.everything := true;
  end if;
  return mine;
end $$;

create or replace function owners_in_scope() returns setof scope_owners
language plpgsql stable security definer parallel safe set search_path = public, pg_temp as $$
declare s scopes := session_scope();
begin
  return query select o.* from scope_owners o where o.tenant_id = s.tenant_id and o.scope_id = s.scope_id;
end $$;

create or replace function teams_in_scope() returns setof scope_teams
language plpgsql stable security definer parallel safe set search_path = public, pg_temp as $$
declare s scopes := session_scope();
begin
  return query select t.* from scope_teams t where t.tenant_id = s.tenant_id and t.scope_id = s.scope_id;
end $$;

create or replace function clusters_in_scope() returns setof text
language plpgsql stable security definer parallel safe set search_path = public, pg_temp as $$
declare s scopes := session_scope();
begin
  return query select c.cluster from scope_clusters c where c.tenant_id = s.tenant_id and c.scope_id = s.scope_id;
end $$;

create or replace function nodes_in_scope() returns setof uuid
language plpgsql stable security definer parallel safe set search_path = public, pg_temp as $$
declare s scopes := session_scope();
begin
  return query select n.node_id from scope_clusters c join nodes n on n.tenant_id = c.tenant_id and n.cluster = c.cluster
    where c.tenant_id = s.tenant_id and c.scope_id = s.scope_id;
end $$;

drop function cluster_of_node(uuid) cascade; -- view node_words has it
create or replace function runs_in_scope() returns setof text
language plpgsql stable security definer parallel safe set search_path = public, pg_temp as $$
declare s scopes := session_scope();
begin
  return query select r.run_id from runs r
    where r.tenant_id = s.tenant_id and (
      exists (select from scope_clusters c where c.tenant_id = s.tenant_id and c.scope_id = s.scope_id and c.cluster = r.cluster)
      or exists (select from scope_owners o where o.tenant_id = s.tenant_id and o.scope_id = s.scope_id
        and o.owner_id = coalesce(r.owner_id, '00000000-0000-0000-0000-000000000000') and coalesce(o.cluster, r.cluster) = r.cluster));
end $$;

-- Views read their tables with the rights of the user who reads the view.
alter view postings set (security_invoker = true);
alter view charges set (security_invoker = true);
alter view charge_lines set (security_invoker = true);
alter view posted_rates set (security_invoker = true);
alter view run_splits set (security_invoker = true);

-- Texts of bill lines, without amounts and tags: users with a posting of a line may know its service, but not the
-- line's cost. Runs with the owner's rights.
create view charge_words as
select r.tenant_id, r.delivery, r.charge_id, r.tag_set, s.source_file, r.line, i.provider, s.billing_account, s.account, i.category, i.service_name,
  i.region, i.zone, i.instance_type, i.price_class, i.commitment_id
from charge_rows r
left join charge_scopes s on s.tenant_id = r.tenant_id and s.delivery = r.delivery and s.scope = r.scope
left join charge_items i on i.tenant_id = r.tenant_id and i.delivery = r.delivery and i.item = r.item;

-- Deliveries and hours of parts, without amounts.
create view part_words as
select tenant_id, hour, part_id, node_id, delivery_id, charge_id, kind, usage_seconds from parts;
create view delivery_words as
select tenant_id, delivery_id, number from deliveries;

-- The try of its run to which a posting belongs, even if the run has another owner; the cluster of a machine, the
-- activity of its devices, and its warnings; the hours that are stored, and until when data are known, for all owners.
create view attempt_words as
select tenant_id, attempt_id, attempt from attempts;
create view sample_words as
select tenant_id, cluster, node, device_index, slice_id, hour, vectors from sample_hours;
create view warning_words as
select tenant_id, instance_id, kind, at from instance_events;
create view node_words as
select tenant_id, node_id, cluster from nodes;
create view stored_hours as
select t.tenant_id,
  least((select min(p.hour) from posting_rows p where p.tenant_id = t.tenant_id), (select min(u.hour) from usage u where u.tenant_id = t.tenant_id)) as first,
  greatest((select max(p.hour) from posting_rows p where p.tenant_id = t.tenant_id), (select max(u.hour) from usage u where u.tenant_id = t.tenant_id)) as last
from tenants t;
create view known_until as
select t.tenant_id, greatest(
    (select max(n.gone_at) from nodes n where n.tenant_id = t.tenant_id),
    (select max(a.ended_at) from attempts a where a.tenant_id = t.tenant_id)) as at
from tenants t;

-- Scopes of lines in the book, for pod_splits, which sums the provider's split by pod: an export that is evidence would
-- count it twice.
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

-- Ledger rows of runs in scope. A run has the visibility of its owner, as in schema star; some of its rows may belong
-- to others.
create view postings_of_runs as
select p.tenant_id, p.posting_id, p.hour, p.part_id, p.charge_id, p.rate_id, p.part, p.usage_id, t.billing_period,
  t.cause, t.activity, t.kind, p.adjusts, p.owner_id, t.method, t.quality, t.policy_version, t.currency, t.state,
  p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost,
  p.gpu_hours, p.capacity_gpu_hours, p.active_gpu_hours, p.energy_kwh,
  p.node_id, p.slot, p.device, p.slice_id, p.mig_profile, p.workload_id, p.run_id, p.attempt_id, p.generation, t.billing_account
from posting_rows p
left join posting_terms t on t.tenant_id = p.tenant_id and t.terms_id = p.terms_id
where p.run_id in (select runs_in_scope());
create view usage_of_runs as
select u.* from usage u where u.run_id in (select runs_in_scope());
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
drop view usage_of_runs, postings_of_runs, warning_words, sample_words, stored_hours, node_words, known_until, attempt_words, book_scopes, delivery_words, part_words, charge_words;
alter view run_splits reset (security_invoker);
alter view posted_rates reset (security_invoker);
alter view charge_lines reset (security_invoker);
alter view charges reset (security_invoker);
alter view postings reset (security_invoker);
drop table sign_in_requests, sign_in_failures, tokens, sessions, user_links, users;
create or replace function session_scope() returns scopes
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select s from scope_logins l
  join scopes s on s.tenant_id = l.tenant_id
    and s.scope_id = coalesce(l.scope_id, nullif(current_setting('gpuledger.scope', true), '')::uuid)
  where l.login = session_user
$$;

create or replace function owners_in_scope() returns setof scope_owners
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select o from session_scope() s join scope_owners o on o.tenant_id = s.tenant_id and o.scope_id = s.scope_id
$$;

create or replace function teams_in_scope() returns setof scope_teams
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select t from session_scope() s join scope_teams t on t.tenant_id = s.tenant_id and t.scope_id = s.scope_id
$$;

create or replace function clusters_in_scope() returns setof text
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select c.cluster from session_scope() s join scope_clusters c on c.tenant_id = s.tenant_id and c.scope_id = s.scope_id
$$;

create or replace function nodes_in_scope() returns setof uuid
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select n.node_id from session_scope() s
  join scope_clusters c on c.tenant_id = s.tenant_id and c.scope_id = s.scope_id
  join nodes n on n.tenant_id = c.tenant_id and n.cluster = c.cluster
$$;

create or replace function runs_in_scope() returns setof text
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select r.run_id from session_scope() s
  join runs r on r.tenant_id = s.tenant_id
  where exists (select from scope_clusters c where c.tenant_id = s.tenant_id and c.scope_id = s.scope_id and c.cluster = r.cluster)
    or exists (select from scope_owners o where o.tenant_id = s.tenant_id and o.scope_id = s.scope_id
      and o.owner_id = coalesce(r.owner_id, '00000000-0000-0000-0000-000000000000')
      and coalesce(o.cluster, r.cluster) = r.cluster)
$$;

create function cluster_of_node(node uuid) returns text
language sql stable security definer parallel safe set search_path = public, pg_temp as $$
  select n.cluster from session_scope() s join nodes n on n.tenant_id = s.tenant_id and n.node_id = node
$$;
alter table scopes drop column digest, drop column conditions;
