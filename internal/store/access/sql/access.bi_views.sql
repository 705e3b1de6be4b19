-- Views for SQL users, and those that they are made of.
select n.nspname::text, c.relname::text
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'v' and n.nspname in ('bi_base', 'bi_v1')
order by 1, 2
