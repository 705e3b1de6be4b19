select slot, account, billing_period, currency, count(*),
  sum(effective_cost), sum(billed_cost), sum(list_cost), sum(contracted_cost)
from next_charges
where tenant_id = $1
group by slot, account, billing_period, currency
order by slot, account, billing_period, currency
