insert into delivery_rows (tenant_id, delivery_id, rows) values ($1, $2, $3)
on conflict (tenant_id, delivery_id) do nothing
