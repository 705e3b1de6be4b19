-- All parts of a charge of a delivery.
select b.node_id, b.hour, b.part_id, b.number, b.kind, b.charge_id, c.source_file, c.line, b.rate_id, f.hourly, f.source,
       b.method, b.quality, b.currency, b.effective_cost, b.billed_cost, b.list_cost, b.contracted_cost
from parts b
left join deliveries d on d.tenant_id = $1 and d.delivery_id = b.delivery_id
left join lateral (
  select l.source_file, l.line from charge_lines l where l.tenant_id = $1 and l.delivery = d.number and l.charge_id = b.charge_id offset 0
) c on true
left join rates f on f.tenant_id = $1 and f.rate_id = b.rate_id
where b.tenant_id = $1 and b.delivery_id = $2 and b.charge_id = $3
order by b.hour, b.number, b.part_id
