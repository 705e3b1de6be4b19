-- What spot hours would have cost on demand may come from a price book.
insert into stale_days (tenant_id, day, what)
select $1::int, day, 'ledger' from rolled_days where tenant_id = $1
