-- What 001_foundation.sql wrote: unreleased builds counted their migrations from 1, too.
select coalesce(obj_description('public.schema_version'::regclass, 'pg_class'), '')
