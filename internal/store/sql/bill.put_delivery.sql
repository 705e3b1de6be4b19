insert into deliveries (tenant_id, delivery_id, import_id, source, export, scope, dataset, partition_key, kind, rank,
  delivered_at, execution_id, digest, rows, columns, state, published_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, nullif($12, ''), $13, $14, $15, $16, $17)
on conflict (tenant_id, delivery_id) do update
set import_id = excluded.import_id, delivered_at = excluded.delivered_at, state = excluded.state, superseded_by = null,
  published_at = excluded.published_at
where excluded.state = 'current'
