select charge_id, billing_period from charges where tenant_id = $1 and delivery_id = $2
