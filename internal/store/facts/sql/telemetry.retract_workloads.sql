delete from workload_facts f
where f.tenant_id = $1 and f.statement = any($2::text[])
  and not exists (select from unnest($3::text[], $4::text[]) k (cluster, uid) where k.cluster = f.cluster and k.uid = f.uid)
