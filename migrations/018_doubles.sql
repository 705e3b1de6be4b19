-- Machines that may be in the ledger twice.
set local lock_timeout = '5s';

-- Possible doubles (docs/rules.md 2.10); each allocation writes all of them again.
create table machine_doubles (
  tenant_id int not null references tenants,
  number bigint not null, what text not null,
  cluster text not null, name text not null,              -- for a machine that only a bill names: '' and its key
  other_cluster text not null, other_name text not null,
  from_at timestamptz not null, to_at timestamptz not null,
  currency text not null, cost numeric,                   -- '' and null: nothing is double
  primary key (tenant_id, number, currency)
);
---- create above / drop below ----
drop table machine_doubles;
