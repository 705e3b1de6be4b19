insert into share_results (tenant_id, month, cluster, digest, row_count) values ($1, $2, $3, $4, $5)
on conflict (tenant_id, month, cluster) do update set digest = excluded.digest, row_count = excluded.row_count
