-- What was posted to a run, per part.
select p.part_id, p.currency, sum(p.effective_cost), sum(p.billed_cost), sum(p.list_cost), sum(p.contracted_cost),
       max(p.state), case when bool_or(p.quality = 'assumed') then 'assumed' when bool_or(p.quality = 'estimated') then 'estimated' else 'measured' end,
       array_agg(distinct p.policy_version)
from postings p where p.tenant_id = $1 and p.run_id = $2
group by p.part_id, p.currency
