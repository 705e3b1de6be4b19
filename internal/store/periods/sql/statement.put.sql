insert into statements (tenant_id, billing_account, billing_period, version, number, format, document, lines, bytes, digest, rows_digest, policy_versions,
  open_period, previous, chain, closed_at, closed_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
