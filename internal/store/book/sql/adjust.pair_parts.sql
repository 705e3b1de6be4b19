-- Of a replaced line, the final part of the same hour, node and kind.
with fresh as (
  select n.part_id, n.hour, r.replaced, n.kind, n.node_id, n.posting_kind = 'amortise' as amortises,
    row_number() over (partition by r.replaced, n.hour, n.kind, n.node_id, n.posting_kind = 'amortise' order by n.number) as nth
  from next_parts n join replaced_lines r on r.charge_id = n.charge_id
  where n.reverses is null and n.charge_period is not null
), gone as (
  select p.part_id, p.hour, p.charge_id, p.kind, p.node_id, p.posting_kind = 'amortise' as amortises,
    row_number() over (partition by p.charge_id, p.hour, p.kind, p.node_id, p.posting_kind = 'amortise' order by p.number) as nth
  from replaced_lines r join parts p on p.tenant_id = $1 and p.charge_id = r.replaced and p.final and p.delivery_id = any ($2)
  where p.reverses is null
    and not exists (
      select from parts v
      where v.tenant_id = p.tenant_id and v.charge_id = p.charge_id and v.final and v.reverses = p.part_id and v.hour = p.hour)
)
update next_parts n set replaces = g.part_id
from fresh f
join gone g on g.charge_id = f.replaced and g.hour = f.hour and g.kind = f.kind and g.node_id is not distinct from f.node_id and g.amortises = f.amortises and g.nth = f.nth
where n.part_id = f.part_id and n.hour = f.hour
