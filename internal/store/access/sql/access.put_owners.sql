insert into scope_owners (tenant_id, scope_id, owner_id, cluster)
select $1, $2, m.owner_id, m.cluster from unnest($3::uuid[], $4::text[]) m (owner_id, cluster)
