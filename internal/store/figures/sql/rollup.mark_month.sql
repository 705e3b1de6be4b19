insert into rolled_months (tenant_id, month) values ($1, $2)
