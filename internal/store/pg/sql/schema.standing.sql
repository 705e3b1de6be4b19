-- Whose a database is: what 001_foundation.sql wrote on the version table, whether tables are there that
-- unreleased builds made, too, and how many tables others have made, with the name of one.
with relations as (
  select n.nspname || '.' || c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not like 'pg\_%' and n.nspname <> 'information_schema'
     and n.nspname || '.' || c.relname <> 'public.schema_version'
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
)
select coalesce(obj_description(to_regclass('public.schema_version'), 'pg_class'), ''),
       to_regclass('public.schema_version') is not null,
       to_regclass('public.tenants') is not null and to_regclass('public.deliveries') is not null
         and to_regclass('public.charges') is not null,
       (select count(*) from relations), coalesce((select min(name) from relations), '')
