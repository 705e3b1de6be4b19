insert into chunks (tenant_id, node_id, day, generation, calculation_id, digest, usage_rows, posting_rows, part_rows, span_rows)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (tenant_id, node_id, day) do update
set generation = excluded.generation, calculation_id = excluded.calculation_id, digest = excluded.digest,
  usage_rows = excluded.usage_rows, posting_rows = excluded.posting_rows, part_rows = excluded.part_rows, span_rows = excluded.span_rows
