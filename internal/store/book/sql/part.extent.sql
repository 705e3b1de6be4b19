select to_timestamp(min(starts)), to_timestamp(max(ends)) from charge_rows
where tenant_id = $1 and delivery = (select number from deliveries where tenant_id = $1 and delivery_id = $2)
