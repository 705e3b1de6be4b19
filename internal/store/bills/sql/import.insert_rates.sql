insert into rates (tenant_id, rate_id, import_id, instance_type, region, price_class, currency, hourly, valid_from, valid_to, source)
select tenant_id, rate_id, import_id, instance_type, region, price_class, currency, hourly, valid_from, valid_to, source
from next_rates where tenant_id = $1
on conflict do nothing
