update deliveries set fleet_digest = ''
where tenant_id = $1 and delivery_id <> $2 and fleet_digest <> '' and state <> 'current'
