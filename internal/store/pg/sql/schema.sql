-- The schema: migrations, months, foreign tables; dirty marks and the fence of calculations.

-- name: calculation.fence
-- The key lock lasts until the commit, so the calculation cannot end before.
select from calculations where tenant_id = $1 and calculation_id = $2 and finished_at is null for key share

-- name: calculation.name
-- No synchronous commit: if the server loses a step, it loses its changes to the marks too, and the step runs again.
select set_config('gpuledger.calculation', $1::text, true),
  set_config('idle_in_transaction_session_timeout', '20s', true),
  set_config('synchronous_commit', 'off', true),
  set_config('application_name', 'gpuledger ' || replace($1::text, '-', ''), true)

-- name: dirty.mark_touched
-- Dark days of a machine (docs/rules.md 2.11) have nothing to allocate except billed or already allocated rows.
-- Only dark days with parts or chunks are marked, however many dark days there are.
insert into dirty (tenant_id, node_id, day, mark_id, reason)
select $1, m.node_id, m.day, $2, string_agg(distinct m.reason, ', ' order by m.reason)
from (
  with margin as (select make_interval(secs => greatest(3600, max(margin_seconds))) as reach from policy_versions
      where tenant_id = $1),
  reached as (
    select distinct t.node_id, t.reason, date_trunc('day', t.from_at - m.reach, 'UTC') as from_at,
      t.to_at + m.reach as to_at
    from touched t cross join margin m
    where t.node_id is not null and t.from_at is not null and t.to_at is not null
      and date_trunc('day', t.from_at - m.reach, 'UTC') < t.to_at + m.reach
  ),
  dim as (
    select r.*, n.dark_days from reached r join nodes n on n.tenant_id = $1 and n.node_id = r.node_id
      and n.dark_days && tstzrange(r.from_at, r.to_at)
  )
  select r.node_id, r.reason, generate_series(r.from_at, r.to_at - interval '1 microsecond', interval '1 day') as day
  from reached r
  where not exists (select from dim d where d.node_id = r.node_id)
  union
  select l.node_id, l.reason, generate_series(lower(l.span), upper(l.span) - interval '1 microsecond', interval '1 day')
  from (
    select r.node_id, r.reason, unnest(tstzmultirange(tstzrange(r.from_at, r.to_at)) - n.dark_days) as span
    from reached r join nodes n on n.tenant_id = $1 and n.node_id = r.node_id
    where exists (select from dim d where d.node_id = r.node_id)
  ) l
  union
  select d.node_id, d.reason, k.day
  from dim d join chunks k on k.tenant_id = $1 and k.node_id = d.node_id and k.day >= d.from_at and k.day < d.to_at
    and d.dark_days @> k.day
  union
  select d.node_id, d.reason, date_trunc('day', p.hour, 'UTC')
  from dim d join parts p on p.tenant_id = $1 and p.node_id = d.node_id and p.hour >= d.from_at
    and p.hour < date_trunc('day', d.to_at - interval '1 microsecond', 'UTC') + interval '1 day'
      and d.dark_days @> p.hour
) m
where exists (select from nodes n where n.tenant_id = $1 and n.node_id = m.node_id
        and n.appeared_at < m.day + interval '1 day' and n.gone_at > m.day)
   or exists (select from chunks k where k.tenant_id = $1 and k.node_id = m.node_id and k.day = m.day)
   or exists (select from parts p where p.tenant_id = $1 and p.node_id = m.node_id and p.hour >= m.day
     and p.hour < m.day + interval '1 day')
group by m.node_id, m.day
order by m.node_id, m.day

-- name: dirty.next_mark
select next_mark($1)

-- name: dirty.touch_placements
with recursive moved as (
  select distinct t.node_id, t.from_at, t.to_at
  from touched t
  where t.node_id is not null and t.from_at is not null and t.to_at is not null
    and t.reason in ('hold', 'hold end', 'evidence', 'requests', 'node life')
    and t.node_id not in (select whole.node_id from touched whole where whole.reason = 'node'
      and whole.node_id is not null)
), names as (
  select distinct n.node_id, n.cluster, n.name from moved m join nodes n on n.tenant_id = $1 and n.node_id = m.node_id
), seen as (
  select pair.cluster, pair.namespace, pair.pod, count(*) as slots
  from (
    select distinct e.cluster, e.namespace, e.pod, e.device, e.slice_id
    from (select distinct cluster, name from names) t
    join hold_evidence e on e.tenant_id = $1 and e.node = t.name and e.cluster = t.cluster
  ) pair
  group by pair.cluster, pair.namespace, pair.pod
), asked as (
  -- pods with fewer evidenced slots than they requested are placed by rule 4.4
  select w.node_id, w.hold_from, w.hold_to
  from names m
  join workloads w on w.tenant_id = $1 and w.node_id = m.node_id and w.hold_from is not null
  join workload_facts p on p.tenant_id = w.tenant_id and p.cluster = w.cluster and p.uid = w.uid
  left join seen s on s.cluster = p.cluster and s.namespace = p.namespace and s.pod = p.name
  where (select sum(r.value::bigint) from jsonb_each_text(p.requests) r
      where r.key like 'nvidia\_com\_%') > coalesce(s.slots, 0)
), reach as (
  select node_id, from_at, to_at, '-infinity'::timestamptz as order_at from moved
  union
  -- earlier starts are placed first, so a placement moves only later ones
  select a.node_id, a.hold_from, a.hold_to, a.hold_from
  from reach r join asked a on a.node_id = r.node_id and a.hold_from <= r.to_at and a.hold_to >= r.from_at
    and a.hold_from >= r.order_at
)
insert into touched
select distinct node_id, from_at, to_at, 'placement' from reach where order_at > '-infinity'

-- name: schema.bound_waits
-- As in migrations: while we wait for a table lock, all others wait behind us.
set local lock_timeout = '5s'

-- name: schema.ensure_month
select ensure_month($1, $2)

-- name: schema.index_bare_months
select index_bare_months($1)

-- name: schema.migrated
select pg_advisory_unlock(hashtext('gpuledger schema'))

-- name: schema.migrating
-- Held from before the first migration until after the last step, so a database is read before or after, never between.
select pg_advisory_lock(hashtext('gpuledger schema'))

-- name: schema.settled
-- Readers wait until a migration under way has ended.
select pg_advisory_xact_lock_shared(hashtext('gpuledger schema'))

-- name: schema.standing
-- Whose database this is: the comment of 001_foundation.sql on the version table, whether it has tables that unreleased
-- builds also made, and how many tables it has, with the name of one.
with relations as (
  select n.nspname || '.' || c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not like 'pg\_%' and n.nspname <> 'information_schema'
     and n.nspname || '.' || c.relname <> 'public.schema_version'
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
       and d.deptype = 'e')
)
select coalesce(obj_description(to_regclass('public.schema_version'), 'pg_class'), '') as line,
       to_regclass('public.schema_version') is not null as versioned,
       to_regclass('public.tenants') is not null and to_regclass('public.deliveries') is not null
         and to_regclass('public.charges') is not null as own,
       (select count(*) from relations) as tables, coalesce((select min(name) from relations), '') as example

-- name: schema.steps
-- Held during the steps after migrations.
select pg_advisory_xact_lock(hashtext('gpuledger schema'))

-- name: schema.taken
-- Names that migrations need but that are taken: $1 in schema public, and schemas.
select coalesce(array_agg(name order by name), '{}') from (
  select 'table public.' || relname as name from pg_class where relnamespace = 'public'::regnamespace
    and relname = any($1)
  union all select 'schema ' || nspname from pg_namespace where nspname in ('star', 'bi_v1', 'bi_base')
) t

-- name: statistics.stale
-- Tables of $1 whose files changed by a tenth of their size since their statistics were made, or that have none. This
-- compares with the server's own record, so it does not matter if a process was killed before it updated them. Sizes
-- are summed over partitions; the parent table needs statistics too, which autovacuum does not make. Catalogues have no
-- tenant_id. Each table comes with the columns worth sampling: queries do not filter by amounts, lists and documents,
-- and sampling those takes longest.
select format('%s (%s)', r.id::regclass, (
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
  from pg_attribute a join pg_type y on y.oid = a.atttypid
  where a.attrelid = r.id and a.attnum > 0 and not a.attisdropped
    and y.typcategory <> 'A' and a.atttypid not in ('numeric'::regtype, 'bytea'::regtype, 'jsonb'::regtype,
        'json'::regtype)))
from unnest($1::text[]) n(name)
cross join lateral (select to_regclass(n.name)::oid as id) r
join pg_class root on root.oid = r.id
cross join lateral (
  select sum(pg_relation_size(c.oid) / current_setting('block_size')::int) as pages,
    sum(case when c.reltuples < 0 then 0 else c.relpages end) as told
  from (select r.id as relid where root.relkind <> 'p' union all select t.relid from pg_partition_tree(r.id) t
      where t.isleaf) l
  join pg_class c on c.oid = l.relid
) f
where f.pages > 0 and (10 * abs(f.pages - f.told) >= f.pages
  or not exists (select from pg_stats s
    where s.schemaname = root.relnamespace::regnamespace::text and s.tablename = root.relname
      and s.inherited = (root.relkind = 'p')))
