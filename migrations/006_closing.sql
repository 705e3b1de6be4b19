-- Closing the books (docs/rules.md, section 13): rows are marked final, statements record their content, and the audit
-- log the person. Sharing (section 12) is also here, because its pairs become final too.
set local lock_timeout = '5s';

-- Statements ---------------------------------------------------------------------------

-- The statement of a closed period. It never changes, except for the note that it was reopened.
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
  open_period text not null,                  -- period for later adjustments
  previous bytea not null,                    -- chain of the statement before; empty: the first
  chain bytea not null,                       -- SHA-256 of previous and of this statement
  closed_at timestamptz not null, closed_by text not null,
  reopened_at timestamptz, reopened_by text, reopen_reason text,
  primary key (tenant_id, billing_account, billing_period, version),
  unique (tenant_id, number)
);

-- The lines of the document, as rows.
create table statement_lines (
  tenant_id int not null,
  billing_account text not null, billing_period text not null, version int not null, line int not null,
  day timestamptz not null, provider text not null, account text not null, region text not null,
  cluster text not null, node text not null, namespace text not null,
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

-- Node-hours whose usage rows are frozen, by the first period that froze them.
create table frozen_hours (
  tenant_id int not null, node_id uuid not null, hour timestamptz not null,
  billing_account text not null, billing_period text not null,
  late_rows int not null default 0,           -- usage rows that telemetry would now change
  primary key (tenant_id, node_id, hour)
);
create index frozen_hours_of on frozen_hours (tenant_id, billing_account, billing_period);

-- Data that explain needs about the node-hours of closed periods, so that it outlives samples, workloads and attempts
-- (docs/rules.md 13.3).
create table hour_evidence (
  tenant_id int not null, node_id uuid not null, hour timestamptz not null,
  document bytea not null,                    -- metrics.NodeEvidence as JSON, gzip
  digest bytea not null,                      -- SHA-256 of that JSON
  primary key (tenant_id, hour, node_id)
) partition by range (hour);
alter table hour_evidence alter column document set storage external;

-- Who did what, each entry with the hash of the one before.
create table audit_log (
  tenant_id int not null references tenants, number bigint not null,
  at timestamptz not null, actor text not null, action text not null, subject text not null,
  detail text not null,                       -- JSON, as hashed
  previous bytea not null, hash bytea not null,
  primary key (tenant_id, number)
);

-- So that a missing end of the log is noticed.
create table audit_heads (
  tenant_id int primary key references tenants, number bigint not null, hash bytea not null
);

-- Sharing --------------------------------------------------------------------------------
--
-- Idle cost and the discounts of commitments, shared as pairs that add up to zero.

-- The state of a day that sharing has read, so that it reads again only what changed.
create table share_days (
  tenant_id int not null, day timestamptz not null,
  fingerprint text not null,                     -- of the chunks that it was read from
  primary key (tenant_id, day)
);

-- The sum of an owner's postings by cause and day. With a commitment: the owner's cost less the contracted price, below
-- zero.
create table share_pools (
  tenant_id int not null, day timestamptz not null, cluster text not null, cause text not null, owner_id uuid not null,
  billing_account text not null, billing_period text not null, currency text not null, state text not null,
  commitment text not null,
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  primary key (tenant_id, day, cluster, cause, owner_id, billing_account, billing_period, currency, state, commitment)
);

-- GPU-hours held by each owner: the weights.
create table share_hours (
  tenant_id int not null, day timestamptz not null, cluster text not null, owner_id uuid not null,
  held numeric not null, used numeric not null,
  primary key (tenant_id, day, cluster, owner_id)
);

-- Contracted cost of held time on machines that a commitment covers, or without a commitment, on demand: the weights of
-- discounts that are spread.
create table share_machines (
  tenant_id int not null, day timestamptz not null, billing_account text not null, currency text not null,
  commitment text not null, instance_type text not null, region text not null, owner_id uuid not null,
  contracted_cost numeric not null,
  primary key (tenant_id, day, billing_account, currency, commitment, instance_type, region, owner_id)
);

-- Shared calendar months (UTC): the input and the result.
create table share_months (
  tenant_id int not null, month timestamptz not null,
  fingerprint text not null,
  primary key (tenant_id, month)
);

-- The result of a month by cluster.
create table share_results (
  tenant_id int not null, month timestamptz not null, cluster text not null,
  digest bytea not null, row_count bigint not null, -- of rows that are not final
  primary key (tenant_id, month, cluster)
);

-- The sides of all pairs: the share that a giver passes on (shared_out) and that a payer gets (shared_in). Rows of one
-- pool add up to zero in every metric. A final row never changes.
create table shares (
  tenant_id int not null, share_id uuid not null,
  hour timestamptz not null,                     -- start of the UTC day
  pool_id uuid not null, kind text not null,
  cluster text not null, cause text not null, owner_id uuid not null,
  from_owner uuid,                               -- of shared_in: the giver; null for several
  billing_account text not null, billing_period text, currency text not null, state text not null,
  commitment text,                               -- whose discount it is; null: idle cost
  effective_cost numeric, billed_cost numeric, list_cost numeric, contracted_cost numeric,
  policy_version text not null, method text not null, rule int not null,  -- its place in the document; 0: commitments
  weight numeric not null, weight_of numeric not null, team_weight bigint, team_weight_of bigint,
  -- Of shared_out: the whole pool, kept shares included.
  pool_effective_cost numeric, pool_billed_cost numeric, pool_list_cost numeric, pool_contracted_cost numeric,
  primary key (tenant_id, share_id, hour)
) partition by range (hour);
create index shares_hour on shares (tenant_id, hour, pool_id);

-- Protection of final rows -------------------------------------------------------------------

-- Final rows cannot be changed by any role, except while a period is being closed or reopened by the transaction that
-- declares it.
create function refuse_final() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('gpuledger.closing', true), '') = 'on' then
    return null;
  end if;
  raise exception 'a row of % belongs to a closed period: it is final', tg_table_name
    using errcode = 'restrict_violation', hint = 'gpuledger reopen opens a period again';
end $$;

-- Refuses all changes of append-only tables.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are only added', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Refuses to empty a table with final rows; the argument names those rows.
create function refuse_truncate() returns trigger language plpgsql as $$
declare
  found boolean;
begin
  execute format('select exists (select from %I.%I where %s)', tg_table_schema, tg_table_name, tg_argv[0]) into found;
  if found then
    raise exception '% holds rows of closed periods', tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- For usage and postings, other rows decide whether they are final: checked once per statement. The argument is the
-- condition that makes a deleted row g final.
create function refuse_final_rows() returns trigger language plpgsql as $$
declare
  found boolean;
begin
  if coalesce(current_setting('gpuledger.closing', true), '') = 'on' then
    return null;
  end if;
  execute format('select exists (select from gone g join %s)', tg_argv[0]) into found;
  if found then
    raise exception 'a row of % belongs to a closed period: it is final', tg_table_name
      using errcode = 'restrict_violation', hint = 'gpuledger reopen opens a period again';
  end if;
  return null;
end $$;

-- On a table and on each of its months, because a statement may name either (ensure_bare_month).
create function guard_final(months regclass, parent text) returns void language plpgsql as $$
declare
  what text;
  says text := case parent
    when 'usage' then 'frozen_hours f on f.tenant_id = g.tenant_id and f.node_id = g.node_id and f.hour = g.hour'
    when 'posting_rows' then 'posting_terms t on t.tenant_id = g.tenant_id and t.terms_id = g.terms_id and t.state = ''final'''
  end;
begin
  foreach what in array array['delete', 'update'] loop
    execute format('create trigger final_%s after %1$s on %s referencing old table as gone
      for each statement execute function refuse_final_rows(%L)', what, months, says);
  end loop;
end $$;
select guard_final('usage', 'usage'), guard_final('posting_rows', 'posting_rows');

-- After the change, so that rows that are not final only cost the condition. The columns exclude the delivery that
-- brought a line last.
create trigger final_rows after delete on parts for each row when (old.final) execute function refuse_final();
create trigger final_values after update of tenant_id, part_id, charge_id, rate_id, number, kind, node_id, hour,
  billing_period, currency, effective_cost, billed_cost, list_cost, contracted_cost, usage_seconds, method, quality,
  owner_id, posting_kind, billing_account, charge_period, final, reverses, replaces
  on parts for each row when (old.final) execute function refuse_final();
create trigger final_rows after delete on frozen_hours for each row execute function refuse_final();
create trigger final_values after update of tenant_id, node_id, hour, billing_account, billing_period on frozen_hours
  for each row execute function refuse_final();
create trigger final_rows after update or delete on posting_terms
  for each row when (old.state = 'final') execute function refuse_final();
create trigger final_rows after update or delete on shares -- pairs of a closed period (13.3)
  for each row when (old.state = 'final') execute function refuse_final();
create trigger final_rows after update or delete on hour_evidence for each row execute function refuse_final();

create trigger only_added after update or delete on statement_lines for each row execute function refuse_change();
create trigger only_added after update or delete on statement_chunks for each row execute function refuse_change();
create trigger only_added after update or delete on audit_log for each row execute function refuse_change();
create trigger only_added after delete on statements for each row execute function refuse_change();
create trigger only_reopened after update on statements for each row
  when (to_jsonb(old) - '{reopened_at,reopened_by,reopen_reason}'::text[]
    <> to_jsonb(new) - '{reopened_at,reopened_by,reopen_reason}'::text[] or old.reopened_at is not null)
  execute function refuse_change();

create trigger kept before truncate on parts for each statement execute function refuse_truncate('final');
create trigger kept before truncate on usage for each statement execute function refuse_truncate(
  '(tenant_id, node_id, hour) in (select tenant_id, node_id, hour from frozen_hours)');
create trigger kept before truncate on frozen_hours for each statement execute function refuse_truncate('true');
create trigger kept before truncate on posting_rows for each statement execute function refuse_truncate(
  '(tenant_id, terms_id) in (select tenant_id, terms_id from posting_terms where state = ''final'')');
create trigger kept before truncate on posting_terms for each statement execute function refuse_truncate('state = ''final''');
create trigger kept before truncate on shares for each statement execute function refuse_truncate('state = ''final''');
create trigger kept before truncate on hour_evidence for each statement execute function refuse_truncate('true');
create trigger kept before truncate on statements for each statement execute function refuse_change();
create trigger kept before truncate on statement_lines for each statement execute function refuse_change();
create trigger kept before truncate on statement_chunks for each statement execute function refuse_change();
create trigger kept before truncate on audit_log for each statement execute function refuse_change();
---- create above / drop below ----
drop trigger kept on posting_terms;
drop trigger kept on posting_rows;
drop trigger kept on usage;
drop trigger kept on parts;
drop trigger final_update on posting_rows;
drop trigger final_delete on posting_rows;
drop trigger final_rows on posting_terms;
drop trigger final_update on usage;
drop trigger final_delete on usage;
drop trigger final_values on parts;
drop trigger final_rows on parts;
drop table shares, share_results, share_months, share_machines, share_hours, share_pools, share_days;
drop table audit_heads, audit_log, hour_evidence, frozen_hours, statement_chunks, statement_lines, statements;
drop function guard_final, refuse_final_rows, refuse_truncate, refuse_change, refuse_final;
