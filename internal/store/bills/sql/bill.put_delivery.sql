insert into deliveries (tenant_id, delivery_id, import_id, source, export, scope, dataset, partition_key, kind, rank, preference, aggregated,
  delivered_at, execution_id, digest, rows, columns, state, published_at, number)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, nullif($14, ''), $15, $16, $17, $18, $19, $20)
on conflict (tenant_id, delivery_id) do update
set import_id = excluded.import_id, delivered_at = excluded.delivered_at, preference = excluded.preference, state = excluded.state, superseded_by = null,
  published_at = excluded.published_at, number = excluded.number
where excluded.state = 'current' or deliveries.number is null
