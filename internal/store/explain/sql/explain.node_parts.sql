-- Parts that are split over the usage rows of the node-hours asked for, with
-- the bill lines and rates they come from.
select b.node_id, b.hour, b.part_id, b.number, b.kind, b.charge_id, c.source_file, c.line, b.rate_id, f.hourly, f.source,
       b.method, b.quality, b.currency, b.effective_cost, b.billed_cost, b.list_cost, b.contracted_cost,
       b.posting_kind, b.reverses, b.replaces, c.export, b.delivery_id, c.state, c.kind, c.usage_type, c.resource_id, c.charge_start, c.charge_end, c.billing_period,
       c.effective_cost, c.billed_cost, c.list_cost, c.contracted_cost
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join parts b on b.tenant_id = $1 and b.node_id = k.node_id and b.hour = k.hour and b.kind in ('compute', 'provisional')
left join lateral (
  select d.export, d.state, l.* from deliveries d
  cross join lateral (select * from charge_lines x where x.tenant_id = $1 and x.delivery = d.number and x.charge_id = b.charge_id offset 0) l
  where d.tenant_id = $1 and d.delivery_id = b.delivery_id
) c on true
left join posted_rates f on f.tenant_id = $1 and f.rate_id = b.rate_id
order by b.hour, b.charge_id, b.number, b.part_id
