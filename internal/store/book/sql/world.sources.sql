select cluster, hour, minutes from source_hours where tenant_id = $1
order by cluster, hour
