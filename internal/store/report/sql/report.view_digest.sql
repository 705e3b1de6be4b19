-- What the views of bi_v1 were made from; NULL when there are none.
select (select obj_description(oid, 'pg_namespace') from pg_namespace where nspname = 'bi_v1')
