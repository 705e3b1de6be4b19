-- Provisional cost that a bill has replaced (docs/figures.md, 28). Postings of an hour without a bill are deleted once
-- a bill covers it, so their sum is kept first: by machine, day, owner and currency.
set local lock_timeout = '5s';

create table replaced_estimates (
  tenant_id int not null references tenants,
  node_id uuid not null, day timestamptz not null, owner_id uuid not null, currency text not null,
  effective_cost numeric not null,
  primary key (tenant_id, node_id, day, owner_id, currency)
);
-- Bit h: replaced_estimates has the estimate of hour h of the day.
alter table chunks add column estimated int not null default 0;
---- create above / drop below ----
alter table chunks drop column estimated;
drop table replaced_estimates;
