-- The postings that a pool of sharing adds up, in order.
select p.posting_id, p.hour, n.name, p.effective_cost, p.billed_cost, p.list_cost, p.contracted_cost
from postings p
left join nodes n on n.tenant_id = p.tenant_id and n.node_id = p.node_id
left join parts b on b.tenant_id = p.tenant_id and b.hour = p.hour and b.part_id = p.part_id
where p.tenant_id = $1 and p.hour >= $2 and p.hour < $2 + interval '1 day' and p.workload_id is null
  and coalesce(n.cluster, '') = $3 and p.cause = $4 and p.owner_id = $5 and coalesce(b.billing_account, '') = $6 and coalesce(p.billing_period, '') = $7
  and p.currency = $8 and p.state = $9
order by p.hour, p.posting_id
