delete from segment_facts s
where s.tenant_id = $1 and s.statement = any($2::text[])
  and not exists (
    select from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::timestamptz[]) k (cluster, namespace, pod, run, attempt, from_at)
    where k.cluster = s.cluster and k.namespace = s.namespace and k.pod = s.pod and k.run = s.run and k.attempt = s.attempt and k.from_at = s.from_at)
