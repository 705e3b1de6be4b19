select min(charge_start), max(charge_end) from charges where tenant_id = $1 and delivery_id = $2
