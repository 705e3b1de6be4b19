update deliveries set fleet_digest = $3 where tenant_id = $1 and delivery_id = $2
