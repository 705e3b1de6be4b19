-- The ledger's rows are written by the million, a node-day at a time, and read
-- by hour, node and run. Their ids are hashes: a tree in that order costs more
-- than all other indexes together, and nobody reads by it but who holds the id
-- of one posting, for whom a hash of it does. The digest of a chunk says that
-- no row is there twice. Postings of a charge are found by its parts: they name
-- hour and node.
--
-- Indexes belong to the partitions, not to their parents, so that a month can
-- be filled first and indexed then.
set local lock_timeout = '5s';

alter table usage drop constraint usage_pkey;
drop index usage_node;
alter table postings drop constraint postings_pkey;
drop index postings_node, postings_run, postings_charge;
drop index spans_node, spans_run;

-- Makes the indexes of a month that are missing; the month itself must be there.
create function index_month(parent text, at timestamptz) returns void language plpgsql as $$
declare
  child text := parent || '_' || to_char(at at time zone 'UTC', 'YYYYMM');
begin
  case parent
  when 'usage' then
    execute format('create index if not exists %I on %I (tenant_id, hour, node_id)', child || '_hour', child);
  when 'postings' then
    execute format('create index if not exists %I on %I (tenant_id, hour, node_id)', child || '_hour', child);
    execute format('create index if not exists %I on %I (tenant_id, run_id) where run_id is not null', child || '_run', child);
    execute format('create index if not exists %I on %I using hash (posting_id)', child || '_posting', child);
  when 'spans' then
    execute format('create index if not exists %I on %I (tenant_id, node_id, day)', child || '_node', child);
    execute format('create index if not exists %I on %I (tenant_id, run_id) where run_id is not null', child || '_run', child);
  else -- others have the indexes of their parents
  end case;
end $$;

-- Makes the indexes of those months of a table that were filled without.
create function index_bare_months(parent text) returns void language plpgsql as $$
begin
  perform index_month(parent, to_date(right(c.relname, 6), 'YYYYMM')::timestamp at time zone 'UTC')
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = parent::regclass and not c.relhasindex;
end $$;

-- Makes the partition of a month, without the indexes of index_month.
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
  return true;
end $$;

create or replace function ensure_month(parent text, at timestamptz) returns void language plpgsql as $$
begin
  if ensure_bare_month(parent, at) then
    perform index_month(parent, at);
  end if;
end $$;

-- relhasindex may stay true for a while after the last index went.
select index_month(p.relname, to_date(right(c.relname, 6), 'YYYYMM')::timestamp at time zone 'UTC')
from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
where p.oid in ('usage'::regclass, 'postings'::regclass, 'spans'::regclass);

-- What the nodes, owners, workloads, runs, attempts and segments that were
-- saved last look like, so that the same again is not compared row by row.
create table derived_state (
  tenant_id int not null primary key references tenants,
  digest bytea not null
);
---- create above / drop below ----
drop table derived_state;
create or replace function ensure_month(parent text, at timestamptz) returns void language plpgsql as $$
declare
  from_month timestamp := date_trunc('month', at at time zone 'UTC');
  child text := parent || '_' || to_char(from_month, 'YYYYMM');
begin
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
drop function ensure_bare_month;
drop function index_bare_months;
drop function index_month;
do $$
declare
  i record;
begin
  for i in select c.relname from pg_index x join pg_class c on c.oid = x.indexrelid
    join pg_inherits h on h.inhrelid = x.indrelid join pg_class p on p.oid = h.inhparent
    where p.relname in ('usage', 'postings', 'spans') and p.relnamespace = (select relnamespace from pg_class where oid = 'chunks'::regclass)
  loop
    execute format('drop index %I', i.relname);
  end loop;
end $$;
alter table usage add primary key (tenant_id, hour, usage_id);
create index usage_node on usage (tenant_id, node_id, hour);
alter table postings add primary key (tenant_id, hour, posting_id);
create index postings_node on postings (tenant_id, node_id, hour);
create index postings_run on postings (tenant_id, run_id) where run_id is not null;
create index postings_charge on postings (tenant_id, charge_id);
create index spans_node on spans (tenant_id, node_id, day);
create index spans_run on spans (tenant_id, run_id) where run_id is not null;
