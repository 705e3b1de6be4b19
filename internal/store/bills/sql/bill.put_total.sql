insert into control_totals (tenant_id, delivery_id, account, billing_period, currency, metric, source_total, charges)
values ($1, $2, $3, $4, $5, $6, $7, $8)
on conflict (tenant_id, delivery_id, account, billing_period, currency, metric) do nothing
