insert into scope_clusters (tenant_id, scope_id, cluster)
select $1, $2, m.cluster from unnest($3::text[]) m (cluster)
