-- Tables of facts and what they say they were made from.
select c.relname::text, coalesce(obj_description(c.oid, 'pg_class'), '')
from pg_class c
where c.relnamespace = 'star'::regnamespace and c.relkind = 'r'
