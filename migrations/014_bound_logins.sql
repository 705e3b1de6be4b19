-- Database logins that an administrator created, bound to a scope.
set local lock_timeout = '5s';

-- An administrator manages bound logins: gpuledger does not drop the role or change its rights.
alter table scope_logins add column bound boolean not null default false;
---- create above / drop below ----
alter table scope_logins drop column bound;
