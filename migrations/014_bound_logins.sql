-- Logins of the database that an administrator made, and that are bound to a scope.
set local lock_timeout = '5s';

-- Bound logins are an administrator's: gpuledger does not drop the role, nor change what it may.
alter table scope_logins add column bound boolean not null default false;
---- create above / drop below ----
alter table scope_logins drop column bound;
