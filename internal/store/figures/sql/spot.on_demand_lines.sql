-- What on-demand machines cost by the hour on a day as contracted, discounts on them
-- included, by account, type and region. Hours that a commitment covers in part are none
-- of these.
select f.account, f.instance_type, f.region, f.currency, f.hour, sum(f.cost), sum(f.seconds)::bigint
from (
  select coalesce(n.account, '') as account, n.instance_type, coalesce(n.region, '') as region, p.currency, p.hour, sum(p.contracted_cost) as cost,
         coalesce(sum(p.usage_seconds) filter (where p.contracted_cost is not null), 0) as seconds
  from nodes n
  join parts p on p.tenant_id = $1 and p.node_id = n.node_id and p.hour >= $2 and p.hour < $2::timestamptz + interval '1 day' and p.kind = 'compute' and p.posting_kind = 'direct'
  join deliveries d on d.tenant_id = $1 and d.delivery_id = p.delivery_id
  cross join lateral ( -- offset 0: by number and line, never all lines of a delivery
    select i.kind, i.price_class
    from charge_rows r
    join charge_items i on i.tenant_id = r.tenant_id and i.delivery = r.delivery and i.item = r.item
    where r.tenant_id = $1 and r.delivery = d.number and r.charge_id = p.charge_id offset 0
  ) l
  where n.tenant_id = $1 and n.price_class = 'on_demand' and n.instance_type <> ''
  group by n.account, n.instance_type, n.region, p.currency, p.hour, p.node_id
  having bool_and(l.kind <> 'covered_usage' and coalesce(nullif(l.price_class, ''), 'on_demand') = 'on_demand') and sum(p.contracted_cost) is not null
) f
group by f.account, f.instance_type, f.region, f.currency, f.hour
