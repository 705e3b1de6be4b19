delete from checkpoint_facts c
where c.tenant_id = $1 and c.statement = any($2::text[])
  and not exists (
    select from next_checkpoints n
    where n.statement = c.statement and n.cluster = c.cluster and n.namespace = c.namespace and n.pod = c.pod and n.run = c.run and n.at = c.at)
