insert into restatements (tenant_id, delivery_id, replaced, added, removed, changed, restated_at)
values ($1, $2, $3, 0, 0, 0, $4)
on conflict (tenant_id, delivery_id, replaced) do update set restated_at = excluded.restated_at
