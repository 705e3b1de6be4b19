-- Whether the server has a role, and whether it is a login of this ledger.
select exists (select from pg_roles where rolname = $2),
  exists (select from scope_logins where tenant_id = $1 and login = $2 and scope_id is not null)
