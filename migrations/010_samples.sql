-- What samples were, hour by hour, kept for ever: minute vectors are dropped
-- after a while, their figures and sketches stay.
set local lock_timeout = '5s';

-- Signals by number, so that an hour names them in two bytes.
create table sample_signals (
  tenant_id int not null references tenants, signal smallint not null, name text not null,
  primary key (tenant_id, signal)
);

create table sample_summaries (
  tenant_id int not null, cluster text not null, device text not null, slice_id int not null, profile text not null,
  hour timestamptz not null,
  node text not null, device_index int not null, model text not null,
  source uuid not null,                     -- md5 of the vectors that it was made of
  -- Seven numbers per signal: signal, minutes known, sum, smallest, largest,
  -- p50, p95 (nearest rank), in the signal's unit.
  figures bigint[] not null,
  sketches bytea not null,                  -- internal/sketch, of the signals whose percentiles are asked over many devices
  primary key (tenant_id, cluster, device, hour, slice_id, profile)
) partition by range (hour);
-- Figures are mostly zero bytes: they are compressed and stay inline.
alter table sample_summaries alter column figures set storage main;
alter table sample_summaries alter column sketches set storage main;

-- Hours in which samples changed, written by the transaction that changed
-- them. A mark is a row of its own: whoever summarises deletes what it saw.
create table stale_hours (
  mark_id bigint generated always as identity,
  tenant_id int not null references tenants, hour timestamptz not null,
  primary key (tenant_id, hour, mark_id)
);
insert into stale_hours (tenant_id, hour) select distinct tenant_id, hour from sample_hours;

-- Minutes of hours before are no longer kept: what was allocated from them is
-- not computed again.
create table sample_retention (
  tenant_id int primary key references tenants,
  dropped_before timestamptz not null,
  at timestamptz not null                   -- when that was
);

-- Figures of a summary as rows.
create function sample_figures(tenant int, figures bigint[])
returns table (signal text, minutes bigint, total bigint, low bigint, high bigint, p50 bigint, p95 bigint)
language sql stable as $$
  select s.name, figures[i + 1], figures[i + 2], figures[i + 3], figures[i + 4], figures[i + 5], figures[i + 6]
  from generate_series(1, coalesce(array_length(figures, 1), 0), 7) i
  join sample_signals s on s.tenant_id = tenant and s.signal = figures[i]
$$;

-- Figures are compressed inline, which takes a setting of every partition.
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
  if parent = 'sample_summaries' then
    execute format('alter table %I set (toast_tuple_target = 256)', child);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child,
    from_month at time zone 'UTC', (from_month + interval '1 month') at time zone 'UTC');
end $$;
---- create above / drop below ----
create or replace function ensure_month(parent text, at timestamptz) returns void language plpgsql as $$
declare
  from_month timestamp := date_trunc('month', at at time zone 'UTC');
  child text := parent || '_' || to_char(from_month, 'YYYYMM');
begin
  perform pg_advisory_xact_lock(hashtext('ensure_month'), hashtext(child));
  if exists (select from pg_class where relname = child and relnamespace = (select relnamespace from pg_class where oid = parent::regclass)) then
    return;
  end if;
  execute format('create table %I (like %I including defaults including constraints including storage)', child, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child,
    from_month at time zone 'UTC', (from_month + interval '1 month') at time zone 'UTC');
end $$;
drop function sample_figures(int, bigint[]);
drop table sample_retention, stale_hours, sample_summaries, sample_signals;
