delete from on_demand_hours where tenant_id = $1 and hour >= $2 and hour < $2::timestamptz + interval '1 day'
