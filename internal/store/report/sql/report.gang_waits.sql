-- What attempts paid while their gangs were not complete, in all of their lives.
select v.run_id, v.attempt_id, v.currency, sum(v.effective_cost) as effective_cost
from (
@gang_rows
) v
group by v.run_id, v.attempt_id, v.currency
