-- Months of minute samples that ended by $1, the oldest first, with the bytes that they take,
-- whatever the tenant_id: partitions are of all.
select to_date(right(c.relname, 6), 'YYYYMM')::timestamp at time zone 'UTC', pg_total_relation_size(c.oid)
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'sample_hours'::regclass
  and (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month') at time zone 'UTC' <= $1::timestamptz
order by 1
