select rate_id, instance_type, region, price_class, currency, hourly, valid_from, valid_to, source
from rates where tenant_id = $1
order by instance_type, region, price_class, currency, valid_from, rate_id
