select a.instance_type, a.region, a.price_class, a.currency, a.hourly, a.valid_from, a.valid_to, b.hourly, b.valid_from, b.valid_to, b.source
from next_rates a
join (select tenant_id, rate_id, instance_type, region, price_class, currency, hourly, valid_from, valid_to, source from rates where tenant_id = $1
      union
      select tenant_id, rate_id, instance_type, region, price_class, currency, hourly, valid_from, valid_to, source from next_rates) b
  on b.rate_id <> a.rate_id and b.instance_type = a.instance_type and b.region = a.region and b.price_class = a.price_class
    and b.currency = a.currency and b.hourly <> a.hourly and b.valid_from < a.valid_to and a.valid_from < b.valid_to
order by a.instance_type, a.region, a.price_class, a.valid_from, b.valid_from
limit 1
