-- What the price book asks for machines on demand and with a commitment, at an
-- instant.
select instance_type, region, price_class, currency, hourly, source
from rates
where tenant_id = $1 and price_class in ('on_demand', 'savings_plan', 'reserved') and valid_from <= $2 and valid_to > $2
order by instance_type, region, currency, price_class, hourly
