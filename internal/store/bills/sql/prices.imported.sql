select provider, instance_type, region, price_class, currency, hourly, source, source_date
from public_prices
where tenant_id = $1
order by provider, instance_type, region, price_class, source_date
