select cluster, source, hour, minutes from source_hours
where tenant_id = $1 and source <> 'exporter'
order by cluster, source, hour
