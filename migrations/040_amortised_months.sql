-- Fees that amortise in later hours count to the month of these hours from the beginning, not only once it is closed
-- (docs/rules.md, 13.3): until now the statement of a closed month could change with them.
set local lock_timeout = '5s';

insert into stale_days (tenant_id, day, what)
select distinct tenant_id, date_trunc('day', hour, 'UTC'), 'ledger' from parts
where posting_kind = 'amortise' and not final and billing_period < to_char(hour at time zone 'UTC', 'YYYY-MM');

update posting_terms set billing_period = settles where kind = 'amortise' and state = 'open' and billing_period < settles;
---- create above / drop below ----
update posting_terms set billing_period = posted_period where kind = 'amortise' and state = 'open';
