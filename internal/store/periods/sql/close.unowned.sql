select p.currency, coalesce(sum(abs(coalesce(p.effective_cost, p.billed_cost))), 0),
  coalesce(sum(abs(coalesce(p.effective_cost, p.billed_cost))) filter (where o.team = 'unowned'), 0)
from postings p join owners o on o.tenant_id = p.tenant_id and o.owner_id = p.owner_id
where p.tenant_id = $1 and p.billing_account = $2 and p.billing_period = $3 and p.hour >= $4 and p.hour <= $5
group by p.currency
