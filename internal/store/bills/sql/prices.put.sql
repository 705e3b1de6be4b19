insert into public_prices as p (tenant_id, import_id, provider, instance_type, region, price_class, currency, hourly, source, source_date)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (tenant_id, provider, instance_type, region, price_class, source_date) do update
set import_id = excluded.import_id, currency = excluded.currency, hourly = excluded.hourly, source = excluded.source
where (p.currency, p.hourly, p.source) is distinct from (excluded.currency, excluded.hourly, excluded.source)
