select p.part_id, p.node_id, p.hour, n.account, c.covered_until
from parts p
join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id
join coverage c on c.tenant_id = n.tenant_id and c.account = n.account
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $3 and p.kind = 'provisional'
  and (p.effective_cost is not null or p.billed_cost is not null or p.list_cost is not null or p.contracted_cost is not null)
  and p.hour + interval '1 hour' <= c.covered_until
  and not exists (select from dirty x where x.tenant_id = $1 and x.node_id = p.node_id and x.day = date_trunc('day', p.hour, 'UTC'))
limit 5
