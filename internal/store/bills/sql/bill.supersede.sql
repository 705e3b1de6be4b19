update deliveries set state = 'superseded', superseded_by = $3 where tenant_id = $1 and delivery_id = $2
