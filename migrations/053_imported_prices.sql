-- Public prices that were imported: newer than those of the program, or of other
-- regions (docs/rules.md 8.12).
set local lock_timeout = '5s';

create table public_prices (
  tenant_id int not null references tenants,
  import_id uuid not null,
  provider text not null, instance_type text not null, region text not null, price_class text not null,
  currency text not null, hourly numeric not null, source text not null, source_date date not null,
  primary key (tenant_id, provider, instance_type, region, price_class, source_date)
);
---- create above / drop below ----
drop table public_prices;
