-- Whether somebody else of role $3 signs in here and sees everything: who sees a part gives
-- nobody access.
select exists (
  select from users
  where tenant_id = $1 and user_id <> $2 and role = $3 and disabled_at is null and password is not null and scope_id is null)
