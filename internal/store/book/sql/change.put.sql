insert into changes (tenant_id, change_id, kind, subject, asked, digest, asked_by, asked_as, asked_id, behind, asked_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
