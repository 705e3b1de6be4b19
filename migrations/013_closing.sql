-- Closing the books (docs/rules.md, section 13): rows say themselves that they
-- are final, statements say what they were, and the audit log who did it.
set local lock_timeout = '5s';

alter table parts
  add column billing_account text,            -- payer of the charge; null for provisional parts
  add column charge_period text,              -- billing period of the charge, where it is posted in a later one
  add column final boolean not null default false,   -- posted for good
  add column reverses uuid,                   -- the final part whose amounts this one takes back
  add column replaces uuid;                   -- the final part of the line that this one's line replaces
alter table usage add column final boolean not null default false;
alter table postings add column billing_account text;
-- When a chunk was first there, so that an earlier state can be asked for.
alter table chunks add column written_at timestamptz;         -- its first generation; null: before this was kept
alter table chunks alter column written_at set default now();
create index parts_final on parts (tenant_id, charge_id) where final;

-- What was said when a period was closed. It never changes but for the note
-- that it was reopened.
create table statements (
  tenant_id int not null references tenants,
  billing_account text not null, billing_period text not null, version int not null,
  number bigint not null,                     -- in the chain
  format int not null,                        -- version of the canonical form
  document bytea not null,                    -- canonical bytes, gzip
  lines bigint not null, bytes bigint not null,
  digest bytea not null,                      -- SHA-256 of the canonical bytes
  rows_digest bytea not null,                 -- SHA-256 of its statement_chunks
  policy_versions text[] not null,
  open_period text not null,                  -- where what comes later is adjusted
  previous bytea not null,                    -- chain of the statement before; empty: the first
  chain bytea not null,                       -- SHA-256 of previous and of what this one says
  closed_at timestamptz not null, closed_by text not null,
  reopened_at timestamptz, reopened_by text, reopen_reason text,
  primary key (tenant_id, billing_account, billing_period, version),
  unique (tenant_id, number)
);

create table statement_lines (
  tenant_id int not null, billing_account text not null, billing_period text not null, version int not null, line int not null,
  day timestamptz not null, provider text not null, account text not null, region text not null, cluster text not null, node text not null, namespace text not null,
  workload_kind text not null, service text not null, run_id text not null, owner_id uuid not null,
  cause text not null, kind text not null, quality text not null, currency text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, capacity_gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric,
  primary key (tenant_id, billing_account, billing_period, version, line),
  foreign key (tenant_id, billing_account, billing_period, version) references statements
);

-- The final rows of a node-day as they were when the period was closed; pairs
-- of sharing by day.
create table statement_chunks (
  tenant_id int not null, billing_account text not null, billing_period text not null, version int not null,
  what text not null check (what in ('rows', 'shares')), node_id uuid not null, day timestamptz not null,
  digest bytea not null, row_count bigint not null,
  primary key (tenant_id, billing_account, billing_period, version, what, node_id, day),
  foreign key (tenant_id, billing_account, billing_period, version) references statements
);

-- Node-hours whose usage rows are frozen, by the first period that did.
create table frozen_hours (
  tenant_id int not null, node_id uuid not null, hour timestamptz not null,
  billing_account text not null, billing_period text not null,
  late_rows int not null default 0,           -- usage rows that telemetry would make otherwise by now
  late_at timestamptz,                        -- when that was found last
  primary key (tenant_id, node_id, hour)
);
create index frozen_hours_of on frozen_hours (tenant_id, billing_account, billing_period);

create table audit_log (
  tenant_id int not null references tenants, number bigint not null,
  at timestamptz not null, actor text not null, action text not null, subject text not null,
  detail text not null,                       -- JSON, as hashed
  previous bytea not null, hash bytea not null,
  primary key (tenant_id, number)
);
-- So that the end of the log cannot be cut off unseen.
create table audit_heads (
  tenant_id int primary key references tenants, number bigint not null, hash bytea not null
);

-- Final rows never change, whoever asks, but while a period is being closed or
-- reopened by the transaction that says so.
create function refuse_final() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('gpuledger.closing', true), '') = 'on' then
    return null;
  end if;
  raise exception 'a row of % belongs to a closed period: it is final', tg_table_name
    using errcode = 'restrict_violation', hint = 'gpuledger reopen opens a period again';
end $$;
-- After the change, so that rows that are not final cost nothing but the
-- condition. Not among the columns: the delivery that brought a line last.
create trigger final_rows after delete on parts for each row when (old.final) execute function refuse_final();
create trigger final_values after update of tenant_id, part_id, charge_id, rate_id, number, kind, node_id, hour, billing_period, currency,
  effective_cost, billed_cost, list_cost, contracted_cost, usage_seconds, method, quality, owner_id, posting_kind, billing_account, charge_period, final, reverses, replaces
  on parts for each row when (old.final) execute function refuse_final();
create trigger final_rows after update or delete on usage for each row when (old.final) execute function refuse_final();
create trigger final_rows after update or delete on postings for each row when (old.state = 'final') execute function refuse_final();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are only added', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger only_added after update or delete on statement_lines for each row execute function refuse_change();
create trigger only_added after update or delete on statement_chunks for each row execute function refuse_change();
create trigger only_added after update or delete on audit_log for each row execute function refuse_change();
create trigger only_added after delete on statements for each row execute function refuse_change();
create trigger only_reopened after update on statements for each row
  when (to_jsonb(old) - '{reopened_at,reopened_by,reopen_reason}'::text[] <> to_jsonb(new) - '{reopened_at,reopened_by,reopen_reason}'::text[] or old.reopened_at is not null)
  execute function refuse_change();

create function refuse_truncate() returns trigger language plpgsql as $$
begin
  if exists (select from period_states where state = 'closed') then
    raise exception '% holds rows of closed periods', tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger kept before truncate on parts for each statement execute function refuse_truncate();
create trigger kept before truncate on usage for each statement execute function refuse_truncate();
create trigger kept before truncate on postings for each statement execute function refuse_truncate();
create trigger kept before truncate on statements for each statement execute function refuse_change();
create trigger kept before truncate on statement_lines for each statement execute function refuse_change();
create trigger kept before truncate on statement_chunks for each statement execute function refuse_change();
create trigger kept before truncate on audit_log for each statement execute function refuse_change();
---- create above / drop below ----
drop trigger kept on postings;
drop trigger kept on usage;
drop trigger kept on parts;
drop trigger final_rows on postings;
drop trigger final_rows on usage;
drop trigger final_values on parts;
drop trigger final_rows on parts;
drop table audit_heads, audit_log, frozen_hours, statement_chunks, statement_lines, statements;
drop function refuse_truncate, refuse_change, refuse_final;
drop index parts_final;
-- What was adjusted is cut anew.
delete from parts where reverses is not null or charge_period is not null;
update deliveries set fleet_digest = '';
alter table chunks drop column written_at;
alter table postings drop column billing_account;
alter table usage drop column final;
alter table parts drop column billing_account, drop column charge_period, drop column final, drop column reverses, drop column replaces;
