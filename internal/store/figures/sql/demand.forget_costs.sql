delete from demand_costs where tenant_id = $1 and day = $2
