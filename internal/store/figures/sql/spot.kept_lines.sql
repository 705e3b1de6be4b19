-- What is stored of on-demand lines of a day.
select account, instance_type, region, currency, hour, cost, seconds
from on_demand_hours where tenant_id = $1 and hour >= $2 and hour < $2::timestamptz + interval '1 day'
