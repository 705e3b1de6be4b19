-- Closing the books (docs/rules.md, section 13): what is final, statements,
-- the audit log.
set local lock_timeout = '5s';

alter table parts
  add column billing_account text,                   -- payer of the charge; null for provisional parts
  add column charge_period text,                     -- of adjustments: the closed billing period of their charge
  add column final boolean not null default false,   -- posted for good
  add column reverses uuid,                          -- the final part whose amounts this one takes back
  add column replaces uuid;                          -- the final part of the line that this one's line replaces
alter table usage add column final boolean not null default false;
create index parts_final on parts (tenant_id, charge_id) where final;

-- Lines of restated deliveries that replace lines of closed periods.
create table charge_successors (
  tenant_id int not null, charge_id uuid not null, replaced uuid not null,
  primary key (tenant_id, charge_id, replaced)
);

-- What was said when a period was closed. A version never changes but for the
-- note that it was reopened.
create table statements (
  tenant_id int not null, statement_id uuid not null,
  billing_account text not null, billing_period text not null, version int not null,
  closed_at timestamptz not null, closed_by text not null,
  document bytea not null,                           -- canonical bytes, gzip
  digest bytea not null,                             -- SHA-256 of the canonical bytes
  previous bytea, chain bytea not null,              -- SHA-256 over the one before and this one
  line_count bigint not null, postings bigint not null, policy_versions text[] not null,
  reopened_at timestamptz, reopened_by text, reopen_reason text,
  primary key (tenant_id, statement_id),
  unique (tenant_id, billing_account, billing_period, version)
);

-- Final rows by node and day: their digest as chunks have it of the others.
create table statement_chunks (
  tenant_id int not null, node_id uuid not null, day timestamptz not null,
  digest bytea not null, row_count bigint not null,
  primary key (tenant_id, node_id, day)
);

create table statement_lines (
  tenant_id int not null, statement_id uuid not null, line int not null,
  day timestamptz not null, provider text not null, account text not null, region text not null, cluster text not null, node text not null, namespace text not null,
  workload_kind text not null, service text not null, run_id text not null, owner_id uuid not null,
  cause text not null, kind text not null, quality text not null, currency text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  gpu_hours numeric, capacity_gpu_hours numeric, active_gpu_hours numeric, energy_kwh numeric,
  primary key (tenant_id, statement_id, line),
  foreign key (tenant_id, statement_id) references statements
);

create table audit_log (
  tenant_id int not null, entry bigint not null,
  at timestamptz not null, actor text not null, action text not null, subject text not null, detail jsonb not null,
  previous bytea, hash bytea not null,
  primary key (tenant_id, entry)
);

-- Final rows never change, whoever asks, but while a period is being reopened
-- in the same transaction. The delivery that a part is filed under may move.
create function refuse_final() returns trigger language plpgsql as $$
begin
  if current_setting('gpuledger.reopening', true) = 'on' then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if tg_table_name like 'parts%' and tg_op = 'UPDATE' then
    old.delivery_id := new.delivery_id;
    if old is not distinct from new then
      return new;
    end if;
  end if;
  raise exception 'this row of % belongs to a closed period and is final', tg_table_name
    using errcode = 'restrict_violation', hint = 'gpuledger reopen opens a period again';
end $$;
create trigger parts_final before update or delete on parts for each row when (old.final) execute function refuse_final();
create trigger usage_final before update or delete on usage for each row when (old.final) execute function refuse_final();
create trigger postings_final before update or delete on postings for each row when (old.state = 'final') execute function refuse_final();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are only added', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_log_added before update or delete on audit_log for each row execute function refuse_change();
create trigger statement_lines_added before update or delete on statement_lines for each row execute function refuse_change();
create function refuse_statement() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(old) - '{reopened_at,reopened_by,reopen_reason}'::text[] = to_jsonb(new) - '{reopened_at,reopened_by,reopen_reason}'::text[]
    and old.reopened_at is null then
    return new;
  end if;
  raise exception 'a statement never changes' using errcode = 'restrict_violation';
end $$;
create trigger statements_kept before update or delete on statements for each row execute function refuse_statement();

-- The oldest billing period of an account after a closed one that is not closed.
create function open_period(tenant int, account text, closed text) returns text stable language sql as $$
  select to_char(m, 'YYYY-MM')
  from generate_series((closed || '-01')::timestamp + interval '1 month', (closed || '-01')::timestamp + interval '50 years', interval '1 month') m
  where not exists (select from period_states s where s.tenant_id = tenant and s.calendar = 'billing' and s.name = to_char(m, 'YYYY-MM')
    and s.billing_account = account and s.state = 'closed')
  order by m limit 1
$$;
---- create above / drop below ----
drop function open_period;
drop table audit_log, statement_lines, statement_chunks, statements, charge_successors;
drop function refuse_statement, refuse_change;
drop trigger postings_final on postings;
drop trigger usage_final on usage;
drop trigger parts_final on parts;
drop function refuse_final;
drop index parts_final;
alter table usage drop column final;
alter table parts drop column billing_account, drop column charge_period, drop column final, drop column reverses, drop column replaces;
