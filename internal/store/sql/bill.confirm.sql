update deliveries set delivered_at = greatest(delivered_at, $3) where tenant_id = $1 and delivery_id = $2
