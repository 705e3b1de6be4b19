-- Whether rights are those of $1, for role $2: also of tables and views that were made since.
select coalesce(obj_description('public.scopes'::regclass, 'pg_class') = $1, false)
  and exists (select from pg_roles where rolname = $2 and pg_has_role(current_user, oid, 'member'))
  and not exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'star' and c.relkind in ('r', 'p') and (not c.relrowsecurity or not has_table_privilege($2::text, c.oid, 'select'))
       or n.nspname in ('bi_v1', 'bi_base') and c.relkind = 'v' and (pg_get_userbyid(c.relowner) = $2) <> exists (
      select from scope_logins l join scopes s on s.tenant_id = l.tenant_id and s.scope_id = l.scope_id where l.tenant_id = $3 and not s.everything))
