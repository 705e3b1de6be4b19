insert into calculations (tenant_id, calculation_id, policy_version, started_at) values ($1, $2, $3, $4)
on conflict (tenant_id, calculation_id) do update
set policy_version = excluded.policy_version, started_at = excluded.started_at, finished_at = null, chunks = 0, message = null
