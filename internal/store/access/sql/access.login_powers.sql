-- The roles that login $1 may act as, itself first, and what each of them may: attributes, what it owns of the schemas
-- $2, which relations of them it may touch beside reading bi_v1, and where it may put something that is found by a name.
-- What belongs to an extension is not ours.
with ours as (
  select n.oid, n.nspname, n.nspowner from pg_namespace n where n.nspname = any($2)
), relations as (
  select c.oid, c.relowner, o.nspname, c.relname
  from pg_class c join ours o on o.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
)
select r.rolname::text, r.rolcanlogin, r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolreplication,
  exists (select from pg_database d where d.datname = current_database() and d.datdba = r.oid)
    or exists (select from ours o where o.nspowner = r.oid) or exists (select from relations c where c.relowner = r.oid)
    or exists (select from pg_proc p join ours o on o.oid = p.pronamespace where p.proowner = r.oid),
  coalesce((select format('%I.%I', c.nspname, c.relname) from relations c
    where has_table_privilege(r.oid, c.oid, 'insert, update, delete, truncate, references, trigger')
      or has_any_column_privilege(r.oid, c.oid, 'insert, update, references')
      or c.nspname <> 'bi_v1' and has_any_column_privilege(r.oid, c.oid, 'select')
    order by 1 limit 1), ''),
  coalesce((select o.nspname from ours o where has_schema_privilege(r.oid, o.oid, 'create') order by 1 limit 1), '')
from pg_roles l
join pg_roles r on pg_has_role(l.oid, r.oid, 'member')
where l.rolname = $1
order by r.rolname <> $1, r.rolname
