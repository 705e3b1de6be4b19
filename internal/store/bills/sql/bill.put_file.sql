insert into delivery_files (tenant_id, delivery_id, name, sha256, bytes, rows)
values ($1, $2, $3, $4, $5, $6)
on conflict (tenant_id, delivery_id, name) do update set sha256 = excluded.sha256, bytes = excluded.bytes, rows = excluded.rows
