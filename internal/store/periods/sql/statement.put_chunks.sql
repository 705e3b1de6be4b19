insert into statement_chunks (tenant_id, billing_account, billing_period, version, what, node_id, day, digest, row_count)
select $1, $2, $3, $4, * from unnest($5::text[], $6::uuid[], $7::timestamptz[], $8::bytea[], $9::bigint[])
