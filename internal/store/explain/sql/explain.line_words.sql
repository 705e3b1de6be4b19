-- Which bill lines parts are of, without amounts.
select k.place, n.name, n.cluster, b.kind, c.source_file, c.line, c.service_name, coalesce(d.state = 'current', false)
from unnest($2::int[], $3::uuid[], $4::timestamptz[]) k(place, part_id, hour)
join part_words b on b.tenant_id = $1 and b.hour = k.hour and b.part_id = k.part_id
left join nodes n on n.tenant_id = $1 and n.node_id = b.node_id
left join delivery_words d on d.tenant_id = $1 and d.delivery_id = b.delivery_id
left join lateral (
  select * from charge_words l where l.tenant_id = $1 and l.delivery = d.number and l.charge_id = b.charge_id offset 0
) c on true
