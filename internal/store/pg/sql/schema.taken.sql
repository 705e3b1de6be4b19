-- Which names that migrations need are taken: $1 in schema public, and those of schemas.
select coalesce(array_agg(name order by name), '{}') from (
  select 'table public.' || relname as name from pg_class where relnamespace = 'public'::regnamespace and relname = any($1)
  union all select 'schema ' || nspname from pg_namespace where nspname in ('star', 'bi_v1', 'bi_base')
) t
