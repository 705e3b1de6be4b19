-- Postings that are final now are so in roll-ups, too.
insert into stale_days (tenant_id, day, what)
select distinct $1::int, date_trunc('day', hour, 'UTC'), 'ledger' from closing_parts
