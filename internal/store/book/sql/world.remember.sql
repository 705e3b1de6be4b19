insert into derived_state (tenant_id, digest) values ($1, $2)
on conflict (tenant_id) do update set digest = excluded.digest
