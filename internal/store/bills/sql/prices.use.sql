insert into public_prices_used (tenant_id, digest) values ($1, $2)
on conflict (tenant_id) do update set digest = excluded.digest
where public_prices_used.digest <> excluded.digest
