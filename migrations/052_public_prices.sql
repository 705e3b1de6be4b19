-- Which public prices hours without a bill were priced with: the next allocation
-- prices them anew when the program has others.
set local lock_timeout = '5s';

create table public_prices_used (
  tenant_id int   not null primary key references tenants,
  digest    bytea not null
);

-- What spot lost is told from what it did not in the rows of days, too.
insert into stale_days (tenant_id, day, what) select tenant_id, day, 'ledger' from rolled_days on conflict do nothing;
---- create above / drop below ----
drop table public_prices_used;
