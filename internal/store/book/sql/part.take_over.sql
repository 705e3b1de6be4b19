update parts set delivery_id = $2
where tenant_id = $1 and delivery_id = any ($3) and delivery_id <> $2 and not final and reverses is null and (charge_period is null or delivery_id = any ($4))
