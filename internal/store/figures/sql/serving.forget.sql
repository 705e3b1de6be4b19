delete from serving_hours where tenant_id = $1 and hour >= $2 and hour < $3
