select source, hour, minutes
from source_hours
where tenant_id = $1 and cluster = $2 and hour >= $3 and hour < $4
order by hour, source
