-- Postings of a node-day, or of no node, that are not the whole part that they say.
select p.posting_id, p.hour, p.part_id, p.effective_cost, b.effective_cost as part_effective_cost, p.billed_cost, b.billed_cost as part_billed_cost,
  p.list_cost, b.list_cost as part_list_cost, p.contracted_cost, b.contracted_cost as part_contracted_cost
from postings p
left join parts b on b.tenant_id = p.tenant_id and b.hour = p.hour and b.part_id = p.part_id
where p.tenant_id = $1 and p.hour >= $3 and p.hour < $3 + interval '1 day' and p.usage_id is null
  and (p.node_id = $2 or p.node_id is null and $2 = '00000000-0000-0000-0000-000000000000')
  and (p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost) is distinct from (b.effective_cost, b.billed_cost, b.list_cost, b.contracted_cost)
order by p.hour, p.posting_id
limit 5
