-- What `upgrade check` reads. Nothing here changes the database or needs the schema of a version.

-- name: upgrade.folder
select current_setting('data_directory')

-- name: upgrade.migrating
-- Whether a migration is under way: schema.migrating holds its lock.
select exists (
  select from pg_locks l cross join (select hashtext('gpuledger schema')::bigint as key) k
  where l.locktype = 'advisory' and l.granted and l.mode = 'ExclusiveLock' and l.objsubid = 1
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = ((k.key >> 32) & 4294967295)::oid and l.objid = (k.key & 4294967295)::oid)

-- name: upgrade.server
-- $1: tables of schema public that migrations make. Owned by others are those that the login cannot alter.
select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
  current_user::text as login, pg_is_in_recovery() as standby,
  current_setting('default_transaction_read_only') = 'on' as read_only,
  has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as creates,
  pg_database_size(current_database()) as bytes, to_regnamespace('star') is not null as facts,
  (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not pg_has_role(c.relowner, 'usage')
      and (n.nspname = 'public' and c.relname = any($1) or n.nspname = 'star')) as owned_by_others

-- name: upgrade.sessions
-- Sessions that have held a lock on a table for $1 seconds. A migration that needs the table gives up after 5.
select a.pid, coalesce(a.usename, '')::text as login, a.application_name as program, coalesce(a.state, '') as state,
  extract(epoch from now() - a.xact_start)::bigint as seconds
from pg_stat_activity a
where a.datname = current_database() and a.pid <> pg_backend_pid() and a.xact_start < now() - make_interval(secs => $1)
  and exists (select from pg_locks l where l.pid = a.pid and l.granted and l.locktype = 'relation'
    and l.relation >= 16384)
order by a.xact_start

-- name: upgrade.sizes
-- The sizes of tables of schema public, with their indexes and partitions.
select c.relname::text as name, (pg_total_relation_size(c.oid) + coalesce((select sum(pg_total_relation_size(i.inhrelid))
  from pg_inherits i where i.inhparent = c.oid), 0))::bigint as bytes
from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname = any($1)
order by c.relname
