select name, state, hour, minutes, known
from node_state_hours
where tenant_id = $1 and cluster = $2 and name = $3 and hour >= $4 and hour < $5
order by hour, state
