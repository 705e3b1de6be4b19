-- Views for SQL users, and those that they are made of, that are not of role $1: those that are, nobody has to wait for.
select n.nspname::text, c.relname::text
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'v' and n.nspname in ('bi_base', 'bi_v1') and pg_get_userbyid(c.relowner) <> case when $1 = 'current_user' then current_user else $1 end
order by 1, 2
