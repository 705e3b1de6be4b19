-- A session that finds a partition made by another must also know that it is
-- attached. The other's commit becomes visible a moment before its
-- invalidations are sent, and only after those does it give back its locks:
-- waiting for its lock, before looking, closes the gap.
set local lock_timeout = '5s';

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
---- create above / drop below ----
create or replace function ensure_month(parent text, at timestamptz) returns void language plpgsql as $$
declare
  from_month timestamp := date_trunc('month', at at time zone 'UTC');
  child text := parent || '_' || to_char(from_month, 'YYYYMM');
begin
  if to_regclass(format('%I', child)) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('ensure_month'), hashtext(child));
  if exists (select from pg_class where relname = child and relnamespace = (select relnamespace from pg_class where oid = parent::regclass)) then
    return;
  end if;
  execute format('create table %I (like %I including defaults including constraints including storage)', child, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child,
    from_month at time zone 'UTC', (from_month + interval '1 month') at time zone 'UTC');
end $$;
