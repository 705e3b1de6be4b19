-- Also where nothing changed: names that roll-ups copy may have.
insert into stale_days (tenant_id, day, what) select $1, d, 'ledger' from unnest($2::timestamptz[]) d
