insert into policy_versions (tenant_id, version, valid_from, document, note, margin_seconds, created_at, created_by, only_rates)
values ($1, $2, $3::text::timestamptz, $4, $5, $6, $7, $8, $9)
