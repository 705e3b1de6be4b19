-- What was posted of the parts of a charge.
select p.part_id, p.currency, sum(p.effective_cost), sum(p.billed_cost), sum(p.list_cost), sum(p.contracted_cost),
       max(p.state), case when bool_or(p.quality = 'assumed') then 'assumed' when bool_or(p.quality = 'estimated') then 'estimated' else 'measured' end,
       array_agg(distinct p.policy_version)
from parts b join postings p on p.tenant_id = $1 and p.hour = b.hour and p.part_id = b.part_id
where b.tenant_id = $1 and b.delivery_id = $2 and b.charge_id = $3
group by p.part_id, p.currency
