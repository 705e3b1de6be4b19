insert into sample_retention as r (tenant_id, dropped_before, at) values ($1, $2, $3)
on conflict (tenant_id) do update set dropped_before = greatest(r.dropped_before, excluded.dropped_before), at = excluded.at
