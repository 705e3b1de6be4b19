insert into periods (tenant_id, calendar, name, start_at, end_at) values ($1, 'billing', $2, $3, $4)
on conflict do nothing
