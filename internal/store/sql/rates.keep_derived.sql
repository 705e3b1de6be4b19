insert into derived_rates (tenant_id, rate_id, currency, hourly, source)
select $1, $2::uuid, $3, $4, $5
where not exists (select from rates where tenant_id = $1 and rate_id = $2)
on conflict do nothing
