-- The named tables whose files grew or shrank by a tenth since the planner was
-- told about them, or of which it was never told. What was told is asked of the
-- server, so it does not matter who was killed before he could tell. Partitions
-- are seen one by one, the table above them as a whole: nobody else tells of it. Catalogues have no tenant_id.
-- With the columns worth knowing: nobody looks for an amount, a list or a
-- document, and they take longer than all others.
select format('%s (%s)', r.id::regclass, (
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
  from pg_attribute a join pg_type y on y.oid = a.atttypid
  where a.attrelid = r.id and a.attnum > 0 and not a.attisdropped
    and y.typcategory <> 'A' and a.atttypid not in ('numeric'::regtype, 'bytea'::regtype, 'jsonb'::regtype, 'json'::regtype)))
from unnest($1::text[]) n(name)
cross join lateral (select to_regclass(n.name)::oid as id) r
join pg_class root on root.oid = r.id
cross join lateral (
  select sum(pg_relation_size(c.oid) / current_setting('block_size')::int) as pages,
    sum(case when c.reltuples < 0 then 0 else c.relpages end) as told
  from (select r.id as relid where root.relkind <> 'p' union all select t.relid from pg_partition_tree(r.id) t where t.isleaf) l
  join pg_class c on c.oid = l.relid
) f
where f.pages > 0 and (10 * abs(f.pages - f.told) >= f.pages
  or not exists (select from pg_stats s
    where s.schemaname = root.relnamespace::regnamespace::text and s.tablename = root.relname and s.inherited = (root.relkind = 'p')))
