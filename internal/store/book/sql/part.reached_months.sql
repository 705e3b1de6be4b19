-- The months that parts of a delivery can lie in, each once. What lasts longer than $3
-- seconds stays at the hour it starts, unless it is of kind $4 (docs/rules.md, 8.5, 8.15).
select distinct m at time zone 'UTC'
from (
  select starts / 86400 as first, greatest(starts, ends - 1) / 86400 as last
  from charge_rows
  where tenant_id = $1 and delivery = (select number from deliveries where tenant_id = $1 and delivery_id = $2) and ends - starts <= $3
  union
  select r.starts / 86400, case when i.kind = $4 then (r.ends - 1) / 86400 else r.starts / 86400 end
  from charge_rows r
  join charge_items i on i.tenant_id = r.tenant_id and i.delivery = r.delivery and i.item = r.item
  where r.tenant_id = $1 and r.delivery = (select number from deliveries where tenant_id = $1 and delivery_id = $2) and r.ends - r.starts > $3
) s cross join lateral generate_series(
  date_trunc('month', to_timestamp(s.first * 86400) at time zone 'UTC'), to_timestamp(s.last * 86400) at time zone 'UTC', interval '1 month') m
