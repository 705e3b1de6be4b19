-- The words: tenants, periods, policies, owners, and how partitions are made.
set local lock_timeout = '5s';

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

create table policies (
  tenant_id  int  not null references tenants,
  version    text not null,
  valid_from timestamptz not null,
  settings   jsonb not null,
  primary key (tenant_id, version)
);

-- Owner dimensions as resolved; the label set stays, so mapping can be redone.
create table owners (
  tenant_id     int  not null references tenants,
  owner_id      uuid not null,
  business_unit text, team text, project text, model text, model_version text, stage text, environment text,
  cost_center   text, experiment text, dataset text, "user" text, priority text, queue text,
  labels        jsonb not null default '{}',
  valid_from    timestamptz not null default '-infinity',
  valid_to      timestamptz not null default 'infinity',
  primary key (tenant_id, owner_id)
);

-- Makes the monthly partition of a table that holds instant "at". Safe to call
-- from many sessions at once; attaching takes a lock that neither readers nor
-- writers of the parent feel.
create function ensure_month(parent text, at timestamptz) returns void language plpgsql as $$
declare
  from_month timestamp := date_trunc('month', at at time zone 'UTC');
  child text := parent || '_' || to_char(from_month, 'YYYYMM');
begin
  if to_regclass(format('%I', child)) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('ensure_month'), hashtext(child));
  -- Asked of the table itself: to_regclass may answer from a cache that does
  -- not know yet what the session before us committed.
  if exists (select from pg_class where relname = child and relnamespace = (select relnamespace from pg_class where oid = parent::regclass)) then
    return;
  end if;
  execute format('create table %I (like %I including defaults including constraints including storage)', child, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child,
    from_month at time zone 'UTC', (from_month + interval '1 month') at time zone 'UTC');
end $$;

-- Weights are rationals: sums of them need a common denominator.
create aggregate lcm_agg(numeric) (sfunc = lcm, stype = numeric, initcond = '1', parallel = safe, combinefunc = lcm);
---- create above / drop below ----
drop aggregate lcm_agg(numeric); drop function ensure_month; drop table owners, policies, period_states, periods, tenants;
