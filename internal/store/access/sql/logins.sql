-- BI logins: server roles, their rights, and how they end.

-- name: access.drop_login
-- Returns the scope it had.
with gone as (delete from scope_logins where tenant_id = $1 and login = $2 returning scope_id)
delete from scopes s using gone g where s.tenant_id = $1 and s.scope_id = g.scope_id

-- name: access.end_login
-- Ends the sessions of role $1 that this login may end, waiting at most two seconds for each. Returns how many there
-- were and how many ended.
with sessions as materialized (
  select a.pid, pg_has_role(a.usesysid, 'usage') as may from pg_stat_activity a where a.usename = $1
)
select count(*)::int as running, count(*) filter (where case when may then pg_terminate_backend(pid,
    2000) end)::int as ended from sessions

-- name: access.login_known
-- Whether the server has a role, whether it is a login of this ledger, and whether an administrator created it.
select exists (select from pg_roles where rolname = $2), l.login is not null as ours, coalesce(l.bound, false) as bound
from (values (1)) one
left join scope_logins l on l.tenant_id = $1 and l.login = $2 and l.scope_id is not null

-- name: access.login_powers
-- The roles that login $1 may act as, the login itself first, with the rights of each: attributes, ownership in schemas
-- $2, relations of those schemas it may use in any way other than reading bi_v1, and schemas where it may create
-- objects that name lookup would find. Objects of extensions are not ours.
with ours as (
  select n.oid, n.nspname, n.nspowner from pg_namespace n where n.nspname = any($2)
), relations as (
  select c.oid, c.relowner, o.nspname, c.relname
  from pg_class c join ours o on o.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
      and d.deptype = 'e')
)
select r.rolname::text as name, r.rolcanlogin as login, r.rolsuper as super, r.rolbypassrls as bypasses,
  r.rolcreaterole as makes_roles, r.rolreplication as replicates,
  exists (select from pg_database d where d.datname = current_database() and d.datdba = r.oid)
    or exists (select from ours o where o.nspowner = r.oid) or exists (select from relations c where c.relowner = r.oid)
    or exists (select from pg_proc p join ours o on o.oid = p.pronamespace where p.proowner = r.oid) as owns,
  coalesce((select format('%I.%I', c.nspname, c.relname) from relations c
    where has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate, references, trigger')
      or has_any_column_privilege(r.oid, c.oid, 'insert, update, references')
      or c.nspname <> 'bi_v1' and has_any_column_privilege(r.oid, c.oid, 'select')
    order by 1 limit 1), '') as touches,
  coalesce((select o.nspname from ours o where has_schema_privilege(r.oid, o.oid, 'create') order by 1 limit 1),
    '') as creates
from pg_roles l
join pg_roles r on pg_has_role(l.oid, r.oid, 'member')
where l.rolname = $1
order by r.rolname <> $1, r.rolname

-- name: access.login_reads
-- Whether login $1 may connect to this database and read all of bi_v1, and the database's name.
select has_database_privilege(r.oid, current_database(), 'connect') as connects,
  has_schema_privilege(r.oid, 'bi_v1', 'usage') and not exists (
    select from pg_class c where c.relnamespace = 'bi_v1'::regnamespace and c.relkind = 'v'
      and not has_table_privilege(r.oid, c.oid, 'select')) as reads,
  current_database()::text as database
from pg_roles r
where r.rolname = $1

-- name: access.login_roles
-- Logins that still exist on the server.
select distinct l.login, l.bound from scope_logins l join pg_roles r on r.rolname = l.login
where l.tenant_id = $1 and l.scope_id is not null order by 1

-- name: access.logins
select l.login as name, s.everything, s.conditions as scope, l.bound
from scope_logins l join scopes s on s.tenant_id = l.tenant_id and s.scope_id = l.scope_id
where l.tenant_id = $1
order by l.login

-- name: access.put_login
insert into scope_logins (tenant_id, login, scope_id, bound) values ($1, $2, $3, $4)
