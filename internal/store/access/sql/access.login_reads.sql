-- Whether login $1 may connect to this database, and whether it may read all of bi_v1; which database that is.
select has_database_privilege(r.oid, current_database(), 'connect'),
  has_schema_privilege(r.oid, 'bi_v1', 'usage') and not exists (
    select from pg_class c where c.relnamespace = 'bi_v1'::regnamespace and c.relkind = 'v' and not has_table_privilege(r.oid, c.oid, 'select')),
  current_database()::text
from pg_roles r
where r.rolname = $1
