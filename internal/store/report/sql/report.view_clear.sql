-- Empties bi_v1; what depends on it elsewhere must be dropped by its owner first.
do $$
declare v record;
begin
  create schema if not exists bi_v1;
  create schema if not exists bi_base;
  for v in select viewname from pg_views where schemaname = 'bi_v1' loop
    execute format('drop view bi_v1.%I', v.viewname);
  end loop;
  for v in select viewname from pg_views where schemaname = 'bi_base' order by viewname = 'pod_splits', viewname = 'charge_lines' loop
    execute format('drop view bi_base.%I', v.viewname);
  end loop;
end $$
