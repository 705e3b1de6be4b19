-- On-demand lines of the kinds of machines that spot hours of a day may be compared with:
-- of that day, and of the nearest days before and after it that have a price.
with kinds as materialized (
  select * from unnest($3::text[], $4::text[], $5::text[], $6::text[]) k(account, instance_type, region, currency)
), days as (
  select k.*, $2::timestamptz as day from kinds k
  union all
  select k.*, date_trunc('day', h.hour, 'UTC') from kinds k
  cross join lateral (
    select max(h.hour) as hour from on_demand_hours h
    where h.tenant_id = $1 and h.account = k.account and h.instance_type = k.instance_type and h.region = k.region and h.currency = k.currency
      and h.cost > 0 and h.seconds > 0 and h.hour < $2
  ) h
  union all
  select k.*, date_trunc('day', h.hour, 'UTC') from kinds k
  cross join lateral (
    select min(h.hour) as hour from on_demand_hours h
    where h.tenant_id = $1 and h.account = k.account and h.instance_type = k.instance_type and h.region = k.region and h.currency = k.currency
      and h.cost > 0 and h.seconds > 0 and h.hour >= $2::timestamptz + interval '1 day'
  ) h
)
select h.account, h.instance_type, h.region, h.currency, h.hour, h.cost, h.seconds
from days d
join on_demand_hours h on h.tenant_id = $1 and h.account = d.account and h.instance_type = d.instance_type and h.region = d.region and h.currency = d.currency
  and h.hour >= d.day and h.hour < d.day + interval '1 day'
