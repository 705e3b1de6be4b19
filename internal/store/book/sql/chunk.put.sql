insert into chunks (tenant_id, node_id, day, generation, calculation_id, mark, digest, hours, usage_rows, posting_rows, part_rows, span_rows)
select $1::int, $2::uuid, c.day, c.generation, $3::uuid, $4::bigint, c.digest, c.hours, c.usage_rows, c.posting_rows, c.part_rows, c.span_rows
from unnest($5::timestamptz[], $6::bigint[], $7::bytea[], $8::int[], $9::int[], $10::int[], $11::int[], $12::bytea[])
  c (day, generation, digest, usage_rows, posting_rows, part_rows, span_rows, hours)
on conflict (tenant_id, node_id, day) do update
set generation = excluded.generation, calculation_id = excluded.calculation_id, mark = excluded.mark, digest = excluded.digest, hours = excluded.hours,
  usage_rows = excluded.usage_rows, posting_rows = excluded.posting_rows, part_rows = excluded.part_rows, span_rows = excluded.span_rows
