-- Requests that were accepted and whose facts are not stored yet: what
-- outlives a kill. Rows live for seconds.
set local lock_timeout = '5s';

create table inbox (
  tenant_id int not null references tenants,
  receiver uuid not null,                  -- the process that accepted it
  number bigint not null,                  -- its order there
  kind text not null,                      -- protocol of body
  sender text not null,
  received_at timestamptz not null,
  body bytea not null,                     -- as it came, compressed
  primary key (tenant_id, receiver, number)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
        toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 5000, toast.autovacuum_vacuum_cost_delay = 0);
alter table inbox alter column body set storage external;
---- create above / drop below ----
drop table inbox;
