-- Rates that no price book has, of which postings were made: the bill's own of
-- before, public and typical prices (docs/rules.md 8.12). Where a price is from is
-- then said by the ledger, whatever the program and lists know later.
set local lock_timeout = '5s';

create table derived_rates (
  tenant_id int not null references tenants, rate_id uuid not null,
  price_class text not null, currency text not null, hourly numeric not null, source text not null,
  primary key (tenant_id, rate_id)
);

-- All rates that postings name.
create view posted_rates as
  select tenant_id, rate_id, currency, hourly, source, true as of_book from rates
  union all
  select tenant_id, rate_id, currency, hourly, source, false from derived_rates;
---- create above / drop below ----
drop view posted_rates;
drop table derived_rates;
