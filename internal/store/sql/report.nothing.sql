-- Whether nothing came in yet, by an import or live.
select not exists (select from imports where tenant_id = $1) and not exists (select from node_facts where tenant_id = $1)
  and not exists (select from workload_facts where tenant_id = $1) and not exists (select from inbox where tenant_id = $1)
