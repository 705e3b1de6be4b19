-- Tables and views of ours, $1 those of schema public, that rows are read from; parts of tables are read through these.
select n.nspname::text, c.relname::text, c.relkind::text
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v') and not c.relispartition and (n.nspname = 'star' or n.nspname = 'public' and c.relname = any($1))
order by 1, 2
