select hour, bit_or(minutes) from next_sources where tenant_id = $1 and cluster = $2 and source = $3 group by hour order by hour
