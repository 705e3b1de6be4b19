-- Postings on usage rows of the node-hours asked for.
select p.posting_id, p.node_id, p.hour, p.part_id, p.usage_id, p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost
from unnest($2::uuid[], $3::timestamptz[]) k(node_id, hour)
join postings p on p.tenant_id = $1 and p.node_id = k.node_id and p.hour = k.hour and p.usage_id is not null
