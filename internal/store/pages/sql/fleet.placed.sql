select distinct on (cluster) cluster, hour, minutes
from source_hours
where tenant_id = $1 and hour >= $2 and minutes <> 0 and source <> 'exporter'
order by cluster, hour desc
