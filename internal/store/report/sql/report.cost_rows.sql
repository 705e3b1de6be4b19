-- Costs by hour and all keys of the fact, for star.cost.
select f.period_start as hour, f.*
from (
@cost_rows
) f
