insert into share_months (tenant_id, month, fingerprint) values ($1, $2, $3)
on conflict (tenant_id, month) do update set fingerprint = excluded.fingerprint
