select current_setting('server_version'), to_regclass('public.schema_version') is not null
