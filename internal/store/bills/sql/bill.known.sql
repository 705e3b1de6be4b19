select number from deliveries where tenant_id = $1 and delivery_id = $2
