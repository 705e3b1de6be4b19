-- What everybody may do in this database and a login for BI tools must not: tables of its own, large objects, and locks that
-- others wait for or that fill the server's table of locks. With the owner of our tables, who keeps it; and whether there are
-- tables beside those of ours ($1 in schema public, and the schemas $2), whose programs may need it.
with ours as (select relowner from pg_class where oid = 'public.scopes'::regclass)
select r.what, (select pg_get_userbyid(relowner)::text from ours), exists (
  select from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and (n.nspname <> all ($2) or n.nspname = 'public' and c.relname <> all ($1) and c.relowner <> all (select relowner from ours))
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
from (
  select format('temporary on database %I', current_database()) as what
  where has_database_privilege('public', current_database(), 'temporary')
  union all
  select 'execute on function ' || string_agg(p.oid::regprocedure::text, ', ' order by p.oid)
  from pg_proc p
  where p.pronamespace = 'pg_catalog'::regnamespace and has_function_privilege('public', p.oid, 'execute')
    and (p.proname ~ '^(lo_|pg_(try_)?advisory_)' or p.proname in ('loread', 'lowrite'))
  having count(*) > 0
) r
order by 1 desc
