select pool_id, min(hour) as day, count(*) as rows, sum(effective_cost) as effective_cost, sum(billed_cost) as billed_cost, sum(list_cost) as list_cost,
  sum(contracted_cost) as contracted_cost
from shares
where tenant_id = $1 and hour >= $2 and hour < $3
group by pool_id
having sum(effective_cost) <> 0 or sum(billed_cost) <> 0 or sum(list_cost) <> 0 or sum(contracted_cost) <> 0
  or count(effective_cost) not in (0, count(*)) or count(billed_cost) not in (0, count(*))
  or count(list_cost) not in (0, count(*)) or count(contracted_cost) not in (0, count(*))
  or count(*) filter (where kind = 'shared_out') = 0
limit 5
