insert into exchange_rates (tenant_id, version, from_currency, to_currency, day, rate, source)
values ($1, $2, $3, $4, ($5::text::timestamptz at time zone 'UTC')::date, $6::text::numeric, $7)
