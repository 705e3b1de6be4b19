-- Tables that all others refer to (tenants, periods, policies, owners), and the monthly partitions of tables that grow
-- with time.
set local lock_timeout = '5s';

comment on table public.schema_version is 'Schema of gpuledger from its first release on, as of 2026-11-28.'; -- internal/store/pg/schema.go

create table tenants (
  tenant_id int primary key,
  name      text not null unique
);
insert into tenants values (1, 'default');

-- Calendars are data: billing months of a provider and fiscal months are rows.
create table periods (
  tenant_id int  not null references tenants,
  calendar  text not null,              -- 'billing' or a fiscal calendar's name
  name      text not null,              -- '2026-11'
  zone      text not null default 'UTC',
  start_at  timestamptz not null,
  end_at    timestamptz not null,
  primary key (tenant_id, calendar, name),
  check (start_at < end_at)
);

-- A period is open, closing or closed per billing account.
create table period_states (
  tenant_id       int  not null references tenants,
  calendar        text not null,
  name            text not null,
  billing_account text not null,
  state           text not null default 'open' check (state in ('open', 'closing', 'closed')),
  primary key (tenant_id, calendar, name, billing_account),
  foreign key (tenant_id, calendar, name) references periods
);

-- The policy as versioned data (docs/rules.md, section 11).
create table policy_versions (
  tenant_id      int  not null references tenants,
  version        text not null,
  valid_from     timestamptz not null,       -- start of a UTC day; -infinity: always
  document       text not null,              -- as written
  note           text not null default '',
  margin_seconds bigint not null,            -- how far a change of telemetry reaches beyond its day
  created_at     timestamptz not null,
  created_by     text not null,
  withdrawn_at   timestamptz,                -- not in force from then on; never deleted
  -- Documents with only exchange rates are not versions of the rules, so any number of them may be in force at once.
  only_rates     boolean not null default false,
  primary key (tenant_id, version)
);
create unique index policy_versions_from on policy_versions (tenant_id, valid_from)
  where withdrawn_at is null and not only_rates;

-- Exchange rates of policy documents. Reports convert with them; no posting depends on them. Rows stay when their
-- version is withdrawn: the version decides whether they are in force.
create table exchange_rates (
  tenant_id     int not null,
  version       text not null,
  from_currency text not null,
  to_currency   text not null,
  day           date not null,               -- UTC; valid until the next day of the pair
  rate          numeric not null check (rate > 0), -- units of to_currency for one of from_currency
  source        text not null,               -- who published it
  primary key (tenant_id, version, from_currency, to_currency, day),
  foreign key (tenant_id, version) references policy_versions (tenant_id, version)
);

-- Owner dimensions as resolved. The labels are kept, so that the mapping can be repeated.
create table owners (
  tenant_id int  not null references tenants,
  owner_id  uuid not null,
  business_unit text, team text, project text, model text, model_version text, stage text, environment text,
  cost_center text, experiment text, dataset text, "user" text, priority text, queue text,
  labels jsonb not null default '{}',
  primary key (tenant_id, owner_id)
);

-- Weights are rationals: sums of them need a common denominator.
create aggregate lcm_agg(numeric) (sfunc = lcm, stype = numeric, initcond = '1', parallel = safe, combinefunc = lcm);

-- Months. A table partitioned by time has one partition per calendar month (UTC), created with the first row of the
-- month. All of these functions are safe to call from many sessions at once; attaching takes a lock that blocks neither
-- readers nor writers of the parent.
--
-- Ledger rows are written by the million, a node-day at a time, and read by hour, node and run. Their ids are hashes: a
-- B-tree on them would cost more than all other indexes together, and only look-ups of single postings by id would use
-- it. A hash index suffices for those. The digest of a chunk proves that no row is there twice. Postings of a charge
-- are found through its parts, which name hour and node.
--
-- Indexes belong to the partitions, not to their parents, so that a month can be filled first and indexed later.

-- Creates the missing indexes of a month; the month itself must exist.
create function index_month(parent text, at timestamptz) returns void language plpgsql as $$
declare
  child text := parent || '_' || to_char(at at time zone 'UTC', 'YYYYMM');
begin
  case parent
  when 'usage' then
    execute format('create index if not exists %I on %I (tenant_id, hour, node_id)', child || '_hour', child);
  when 'posting_rows' then
    execute format('create index if not exists %I on %I (tenant_id, hour, node_id)', child || '_hour', child);
    execute format('create index if not exists %I on %I (tenant_id, run_id) where run_id is not null', child || '_run', child);
    execute format('create index if not exists %I on %I using hash (posting_id)', child || '_posting', child);
  when 'spans' then
    execute format('create index if not exists %I on %I (tenant_id, node_id, day)', child || '_node', child);
    execute format('create index if not exists %I on %I (tenant_id, run_id) where run_id is not null', child || '_run', child);
  else -- others have the indexes of their parents
  end case;
end $$;

-- Creates the indexes of the months of a table that were filled without them.
create function index_bare_months(parent text) returns void language plpgsql as $$
begin
  perform index_month(parent, to_date(right(c.relname, 6), 'YYYYMM')::timestamp at time zone 'UTC')
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = parent::regclass and not c.relhasindex;
end $$;

-- Creates the partition of a month, without the indexes of index_month. A session that finds a partition created by
-- another must also know that it is attached. The other's commit becomes visible a moment before its invalidations are
-- sent, and only then does it release its locks: waiting for its lock before looking closes the gap.
create function ensure_bare_month(parent text, at timestamptz) returns boolean language plpgsql as $$
declare
  from_month timestamp := date_trunc('month', at at time zone 'UTC');
  child text := parent || '_' || to_char(from_month, 'YYYYMM');
begin
  perform pg_advisory_xact_lock(hashtext('ensure_month'), hashtext(child));
  -- Asked of the table itself: to_regclass may answer from a cache that does
  -- not know yet what the session before us committed.
  if exists (select from pg_class where relname = child and relnamespace = (select relnamespace from pg_class where oid = parent::regclass)) then
    return false;
  end if;
  execute format('create table %I (like %I including defaults including constraints including storage)', child, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child,
    from_month at time zone 'UTC', (from_month + interval '1 month') at time zone 'UTC');
  if parent in ('usage', 'posting_rows') then
    perform guard_final(child::regclass, parent); -- 006
  end if;
  return true;
end $$;

-- Creates the monthly partition of a table that contains instant "at".
create function ensure_month(parent text, at timestamptz) returns void language plpgsql as $$
begin
  if ensure_bare_month(parent, at) then
    perform index_month(parent, at);
  end if;
end $$;
---- create above / drop below ----
drop function ensure_month, ensure_bare_month, index_bare_months, index_month;
drop aggregate lcm_agg(numeric);
drop table owners, exchange_rates, policy_versions, period_states, periods, tenants;
comment on table public.schema_version is null;
