delete from serving_days where tenant_id = $1 and hour >= $2 and hour < $3
