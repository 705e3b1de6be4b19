-- In one order, so that two allocations do not wait for each other in a circle.
insert into derived_rates (tenant_id, rate_id, price_class, currency, hourly, source)
select $1, k.rate_id, k.price_class, k.currency, k.hourly, k.source
from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]::numeric[], $6::text[]) k (rate_id, price_class, currency, hourly, source)
where not exists (select from rates r where r.tenant_id = $1 and r.rate_id = k.rate_id)
order by k.rate_id
on conflict do nothing
