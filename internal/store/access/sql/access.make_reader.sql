-- The role that rows are read as; it cannot sign in, owns no table, and no policy
-- is passed by for it. The login that migrates may become it.
do $$
begin
  if not exists (select from pg_roles where rolname = '@reader') then
    create role @reader nologin noinherit;
  end if;
  if not pg_has_role(current_user, '@reader', 'member') then
    execute format('grant @reader to %I', current_user);
  end if;
end $$
