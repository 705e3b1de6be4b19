-- The partitions of a table for the months of [from, to]. Catalogues have no tenant_id.
select c.oid::regclass::text
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = to_regclass($1) and right(c.relname, 6) between to_char($2::timestamptz at time zone 'UTC', 'YYYYMM') and to_char($3::timestamptz at time zone 'UTC', 'YYYYMM')
order by c.relname
