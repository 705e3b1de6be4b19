select delivery_id, charge_id, hour, sum(effective_cost) as effective_cost, count(billed_cost) + count(list_cost) + count(contracted_cost) as other_costs
from parts
where tenant_id = $1 and posting_kind = 'amortise' and ($2::text is null or billing_period = $2)
group by delivery_id, charge_id, hour
having sum(effective_cost) is distinct from 0 or count(billed_cost) + count(list_cost) + count(contracted_cost) > 0
limit 5
