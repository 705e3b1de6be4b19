insert into period_states (tenant_id, calendar, name, billing_account, state) values ($1, 'billing', $3, $2, $4)
on conflict (tenant_id, calendar, name, billing_account) do update set state = excluded.state
