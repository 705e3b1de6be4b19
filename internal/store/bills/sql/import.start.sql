insert into imports (tenant_id, import_id, source, uri, cluster, state, started_at)
values ($1, $2, $3, $4, nullif($5, ''), $6, $7)
