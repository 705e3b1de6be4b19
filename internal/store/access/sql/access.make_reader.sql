-- The role that rows are read as; it cannot sign in, owns no table, and no policy
-- is passed by for it. The login that migrates may become it: whoever makes a role may
-- give it away, and from PostgreSQL 16 on not become it before he gave it to himself.
do $$
begin
  if not exists (select from pg_roles where rolname = '@reader') then
    create role @reader nologin;
    execute format('grant @reader to %I', current_user);
  elsif not pg_has_role(current_user, '@reader', 'member') then
    execute format('grant @reader to %I', current_user);
  end if;
end $$
