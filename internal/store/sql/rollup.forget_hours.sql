delete from rollup_hours where tenant_id = $1 and grain = any ($2) and hour >= $3 and hour < $3 + interval '24 hours'
