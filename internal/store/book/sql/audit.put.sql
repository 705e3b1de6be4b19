with entry as (
  insert into audit_log (tenant_id, number, at, actor, action, subject, detail, previous, hash) values ($1, $2, $3::text::timestamptz, $4, $5, $6, $7, $8, $9)
)
insert into audit_heads (tenant_id, number, hash) values ($1, $2, $9)
on conflict (tenant_id) do update set number = excluded.number, hash = excluded.hash
