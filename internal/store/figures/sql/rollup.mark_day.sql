insert into rolled_days (tenant_id, day) values ($1, $2) on conflict do nothing
